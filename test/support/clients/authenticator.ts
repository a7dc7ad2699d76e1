import { bytesFromBase32, totpCode, totpStep } from '../../../server/src/runtime/totp.ts'
import { type Client } from './http-client.ts'

/** Returns what an authenticator app shows: now, or `away` steps of 30 seconds from now. */
export const codeOf = (secret: string, away = 0): string =>
  totpCode(bytesFromBase32(secret), totpStep(Date.now()) + away)

/** Sets up a second factor of the client's user. The next valid code is that of the next step. */
export async function enrol(
  client: Client,
  password: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await client.rest('POST', '/auth/second-factor', { body: { password } })
  if (begun.status !== 200) throw new Error(`no second factor was begun: ${begun.text}`)
  const { secret } = begun.body
  const confirmed = await client.rest('POST', '/auth/second-factor/confirm', {
    body: { code: codeOf(secret) },
  })
  if (confirmed.status !== 200) throw new Error(`no second factor: ${confirmed.text}`)
  return { secret, recoveryCodes: confirmed.body.recovery_codes }
}
