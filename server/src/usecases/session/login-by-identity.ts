import { Fault } from '../../engine/model/fault.ts'
import { assignmentRefusal } from '../../domain/identity/rules.ts'
import { requireEmail, requireUsername } from '../../domain/identity/username.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Op } from '../../store/op.ts'
import { type Identity, type Origin, callBy } from '../identity/identity.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { messageOf } from '../../engine/model/message.ts'

/** The identity that a provider confirms. Only the pair of issuer and subject identifies a user. */
export interface ConfirmedIdentity {
  issuer: string
  subject: string
  username: string | null
  email: string | null
  /** The tenant and role for a first login. Null when first logins are not provisioned. */
  provision: { tenantSlug: string; roleName: string } | null
}

/**
 * Opens a session for a known identity. A first login creates a user if the operator has configured
 * that.
 */
export async function loginByIdentity(
  identity: Identity,
  confirmed: ConfirmedIdentity,
  origin: Origin,
): Promise<OpenedSession> {
  const opening = { ...origin, kind: 'session' as const, operation: 'loginByIdentity' }
  const users = identity.berth.reads('platform').users
  let account = await users.accountByIdentity(confirmed.issuer, confirmed.subject)
  try {
    account ??= await provision(identity, confirmed, origin)
    if (account.state !== 'active') throw notInvited()
  } catch (error) {
    if (error instanceof Fault)
      await identity.berth.refused(
        callBy(account, confirmed.username ?? confirmed.subject, opening),
        error.code,
      )
    throw error
  }
  return openSession(identity, account, opening)
}

async function provision(
  { berth }: Identity,
  confirmed: ConfirmedIdentity,
  origin: Origin,
): Promise<Account> {
  const tenant = confirmed.provision
    ? await berth.reads('platform').tenants.findBySlug(confirmed.provision.tenantSlug)
    : null
  if (!tenant || !confirmed.provision || tenant.state === 'deleting') throw notInvited()
  const { roleName } = confirmed.provision
  const call = callBy(null, confirmed.username ?? confirmed.subject, {
    ...origin,
    operation: 'provisionUser',
  })
  const id = await berth
    .write({ ...call, scope: { tenantId: tenant.id } }, (op) =>
      addUser(op, tenant.id, { ...confirmed, roleName }),
    )
    .catch((error: unknown) => {
      throw nameRefusal(error, confirmed.username ?? confirmed.subject) ?? error
    })
  const account = await berth.reads('platform').users.accountById(id)
  if (!account) throw new TypeError('a user is missing after it was provisioned')
  return account
}

/** The user cannot choose another name, because the provider sends it. */
function nameRefusal(error: unknown, name: string): Fault | null {
  const isOfName =
    error instanceof Fault &&
    (error.code === 'invalid_input' || error.userMessage.key === 'access.username_taken')
  if (!isOfName) return null
  const sentence = messageOf('access.provider_name_unusable', { name })
  return new Fault('forbidden', sentence, { cause: error })
}

async function addUser(
  op: Op,
  tenantId: string,
  confirmed: ConfirmedIdentity & { roleName: string },
): Promise<string> {
  const role = await op.roles.findByName(confirmed.roleName, tenantId)
  // Roles from a provider never include those of the platform.
  if (!role || assignmentRefusal(role)) throw notInvited()
  // A name that the tenant has belongs to another person: the unique index refuses it, and users
  // are never matched by name.
  const username = requireUsername(confirmed.username ?? confirmed.subject)
  const identityColumns = {
    oidcIssuer: confirmed.issuer,
    oidcSubject: confirmed.subject,
    passwordHash: null,
  }
  const user = op.users.add({
    tenantId,
    username,
    email: safeEmail(confirmed.email),
    roleId: role.id,
    ...identityColumns,
  })
  await op.flush()
  op.changes.record('user', { id: user.id, version: user.version, tenantId })
  op.audit.setTarget('user', { id: user.id, name: username, tenantId })
  return user.id
}

/** The email address is only shown, so an invalid one does not prevent a login. */
function safeEmail(email: string | null): string {
  try {
    return requireEmail(email ?? '')
  } catch {
    return ''
  }
}

const notInvited = (): Fault => new Fault('forbidden', messageOf('access.not_a_user'))
