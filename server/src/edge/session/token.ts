import { createSecretKey, hkdfSync } from 'node:crypto'
import { SignJWT, jwtVerify } from 'jose'
import { type Clock } from '../../runtime/clock.ts'
import { type Secret } from '../../runtime/config/secret.ts'
import { type TokenClaims, type TokenSigner } from '../../usecases/identity/identity.ts'

/**
 * Access tokens are JWTs of one form only: this header, these claims, this key. Nothing in a token
 * selects how it is checked. A valid signature is not enough: the session in the token must be open
 * (viewer.ts).
 */
export interface AccessTokens extends TokenSigner {
  /**
   * Returns the claims of the token. Null for a token that Berth did not sign for this purpose in
   * this form.
   */
  verify(token: string): Promise<Omit<TokenClaims, 'issuedSeconds'> | null>
}

const header = { alg: 'HS256', typ: 'at+jwt' } as const
const headerText = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.`
const issuer = 'berth'
const audience = 'api'
const maxLength = 1_000
// The database's clock decides if a token has expired. The tolerance keeps a wrong local clock from
// deciding instead.
const clockTolerance = 300

export function accessTokensFrom(secret: Secret, clock: Pick<Clock, 'now'>): AccessTokens {
  const key = createSecretKey(
    Buffer.from(hkdfSync('sha256', secret.reveal(), 'berth', 'access-token', 32)),
  )
  const expected = {
    algorithms: [header.alg],
    typ: header.typ,
    issuer,
    audience,
    requiredClaims: ['sub', 'sid', 'iat', 'exp'],
    clockTolerance,
  }
  return {
    sign: ({ userId, sessionId, issuedSeconds, endsSeconds }) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader(header)
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setIssuedAt(issuedSeconds)
        .setExpirationTime(endsSeconds)
        .sign(key),
    async verify(token) {
      if (token.length > maxLength || !token.startsWith(headerText)) return null
      const verified = await jwtVerify(token, key, { ...expected, currentDate: clock.now() }).catch(
        () => null,
      )
      if (!verified || !isCanonical(token, verified.payload)) return null
      const { sub, sid, exp } = verified.payload
      if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') return null
      return { userId: sub, sessionId: sid, endsSeconds: exp }
    },
  }
}

/**
 * True when the payload is exactly as Berth writes it. A duplicate claim, which two parsers read
 * differently, is therefore refused.
 */
function isCanonical(token: string, payload: unknown): boolean {
  return (
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8') === JSON.stringify(payload)
  )
}
