import {
  type LoginName,
  candidatesPerName,
  textOfLoginName,
} from '../../domain/identity/login-name.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Identity } from '../identity/identity.ts'

/** One of the accounts whose password a login tries. */
export interface LoginCandidate {
  /** The key under which the throttle counts attempts. It is the same for all clients. */
  key: string
  /** An account that does not exist is null, so that each login tries the same number. */
  account: Account | null
}

/**
 * Returns what a login tries: one account for `tenant/name`, and a constant number for a name
 * alone. The two count apart, and unknown names count like known ones, so that a refusal tells
 * nothing about other tenants.
 */
export async function loginCandidates(
  { berth }: Pick<Identity, 'berth'>,
  name: LoginName,
): Promise<LoginCandidate[]> {
  const accounts = await berth.reads('platform').users.accountsNamed(name)
  const text = textOfLoginName(name).toLowerCase()
  if (name.tenantSlug !== null) return [{ key: text, account: accounts[0] ?? null }]
  return Array.from({ length: candidatesPerName }, (_, index) => {
    const account = accounts[index] ?? null
    return { key: account ? `alone ${account.id}` : `alone ${text} ${index}`, account }
  })
}
