import { Fault } from '../../engine/model/fault.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Identity, type Origin, callBy } from '../identity/identity.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import {
  type ProvidedUser,
  addProvidedUser,
  giveProvidedRole,
  notAUser,
  removeMovedUser,
  takenName,
} from './provided-user.ts'

/** The identity that a provider confirms. Only the pair of issuer and subject identifies a user. */
export interface ConfirmedIdentity {
  issuer: string
  subject: string
  username: string | null
  email: string | null
  /**
   * The tenant and role that the provider names now. A null in it means that it names none, and the
   * whole is null when the operator lets the provider assign no tenants.
   */
  assigned: { tenantSlug: string | null; roleName: string | null } | null
  /** True when the role counts at every login, and not only at the first one. */
  rolesFollowProvider: boolean
}

/**
 * Opens a session for a known identity. Every login first brings the user to the tenant and role
 * that the provider names; a first login creates it.
 */
export async function loginByIdentity(
  identity: Identity,
  confirmed: ConfirmedIdentity,
  origin: Origin,
): Promise<OpenedSession> {
  const opening = { ...origin, kind: 'session' as const, operation: 'loginByIdentity' }
  let account = await accountOf(identity, confirmed)
  try {
    account = await accountAsAssigned(identity, { account, confirmed, origin })
  } catch (error) {
    if (error instanceof Fault)
      await identity.berth.refused(callBy(account, nameOf(confirmed), opening), error.code)
    throw error
  }
  return openSession(identity, account, opening)
}

const accountOf = ({ berth }: Identity, { issuer, subject }: ConfirmedIdentity) =>
  berth.reads('platform').users.accountByIdentity(issuer, subject)

const nameOf = ({ username, subject }: ConfirmedIdentity): string => username ?? subject

interface Assignment {
  account: Account | null
  confirmed: ConfirmedIdentity
  origin: Origin
}

/** Returns the account after it has the tenant and role that the provider names. */
async function accountAsAssigned(identity: Identity, assignment: Assignment): Promise<Account> {
  const { account, confirmed } = assignment
  // An administrator disabled the user, and the provider cannot undo that.
  if (account && account.state !== 'active') throw notAUser()
  const { assigned } = confirmed
  const hasChanged = assigned !== null && (await follow(identity, assignment, assigned))
  const present = hasChanged ? await accountOf(identity, confirmed) : account
  if (!present) throw notAUser()
  return present
}

/** Returns true when the account was changed. */
async function follow(
  identity: Identity,
  { account, confirmed, origin }: Assignment,
  { tenantSlug, roleName }: NonNullable<ConfirmedIdentity['assigned']>,
): Promise<boolean> {
  const reads = identity.berth.reads('platform')
  const tenant = tenantSlug === null ? null : await reads.tenants.findBySlug(tenantSlug)
  if (!tenant || tenant.state === 'deleting' || roleName === null) throw notAUser()
  const user = { ...confirmed, username: nameOf(confirmed), roleName }
  if (account?.tenantId !== tenant.id) {
    await provide(identity, { account, tenant, user, origin })
    return true
  }
  if (!confirmed.rolesFollowProvider || !(await hasOtherRole(reads, account, roleName)))
    return false
  await followRole(identity, { account, roleName, origin })
  return true
}

const hasOtherRole = async (
  { users }: ReturnType<Identity['berth']['reads']>,
  { id }: Account,
  roleName: string,
): Promise<boolean> => (await users.find(id))?.roleName !== roleName

const followRole = (
  { berth }: Identity,
  { account, roleName, origin }: { account: Account; roleName: string; origin: Origin },
): Promise<void> =>
  berth.write(
    callBy(account, account.username, { ...origin, operation: 'followProviderRole' }),
    (op) => giveProvidedRole(op, account, roleName),
  )

interface Provision {
  /** The user in the tenant that the provider named before. */
  account: Account | null
  tenant: { id: string; slug: string }
  user: ProvidedUser
  origin: Origin
}

async function provide(
  { berth }: Identity,
  { account, tenant, user, origin }: Provision,
): Promise<void> {
  const callTo = (operation: string) => callBy(null, user.username, { ...origin, operation })
  if (account)
    await berth.write({ ...callTo('removeMovedUser'), scope: 'platform' }, (op) =>
      removeMovedUser(op, account, { ...tenant, user }),
    )
  const call = { ...callTo('provisionUser'), scope: { tenantId: tenant.id } }
  await berth
    .write(call, (op) => addProvidedUser(op, tenant.id, user))
    .catch((error: unknown) => {
      throw takenName(error, user.username) ?? error
    })
}
