import { randomBytes } from 'node:crypto'
import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'
import { loginNameOf } from '../../domain/identity/login-name.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { base32, totpUrl } from '../../runtime/totp.ts'
import { type Op } from '../../store/op.ts'
import { type Call } from '../berth.ts'
import { type Identity } from '../identity/identity.ts'
import { userAfter } from '../identity/lock-user.ts'
import { type ProvenAccount, proofOf, provenAccount } from './proven-account.ts'

export interface BeginSecondFactorRequest {
  password: string
}

interface BegunSecondFactor {
  /** The secret in base32, as an authenticator app takes it. */
  secret: string
  /** The same as a URL, for a QR code. */
  url: string
  user: UserView
}

const issuer = 'Berth'
// The length of the hash, as RFC 4226 recommends.
const secretBytes = 20

/**
 * Returns the secret of a new second factor of the viewer. Logins need a code only after the viewer
 * has confirmed it. A second call replaces the secret.
 */
export async function beginSecondFactor(
  identity: Identity,
  call: Call,
  { password }: BeginSecondFactorRequest,
): Promise<BegunSecondFactor> {
  const account = await provenAccount(identity, call, proofOf(password))
  await account.attempt.uncount()
  return identity.berth.write({ ...call, scope: { tenantId: account.tenantId } }, (op) =>
    begin(op, account),
  )
}

async function begin(op: Op, account: ProvenAccount): Promise<BegunSecondFactor> {
  const existing = await op.secondFactors.find(account.id)
  if (existing?.confirmedAt)
    throw new Fault('wrong_state', messageOf('access.second_factor_present'))
  const secret = base32(randomBytes(secretBytes))
  const owner = { userId: account.id, tenantId: account.tenantId }
  op.secondFactors.begin(owner, existing, new Secret(secret))
  // An app replaces an entry with the same issuer and name.
  const url = totpUrl({ issuer, account: loginNameOf(account), secret })
  return { secret, url, user: await userAfter(op, account.id) }
}
