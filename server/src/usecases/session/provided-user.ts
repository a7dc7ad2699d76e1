import { assignmentRefusal } from '../../domain/identity/rules.ts'
import { requireEmail, requireUsername } from '../../domain/identity/username.ts'
import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Op } from '../../store/op.ts'

/** A user as an identity provider describes it. */
export interface ProvidedUser {
  issuer: string
  subject: string
  username: string
  email: string | null
  roleName: string
}

/** Creates the user of a first login in the tenant that the provider names. */
export async function addProvidedUser(
  op: Op,
  tenantId: string,
  { issuer, subject, roleName, ...person }: ProvidedUser,
): Promise<void> {
  const role = await providedRole(op, tenantId, roleName)
  // A name that the tenant has belongs to another person: the unique index refuses it, and users
  // are never matched by name.
  const username = usableName(person.username)
  const user = op.users.add({
    tenantId,
    username,
    email: safeEmail(person.email),
    roleId: role.id,
    oidcIssuer: issuer,
    oidcSubject: subject,
    passwordHash: null,
  })
  await op.flush()
  op.changes.record('user', { id: user.id, version: user.version, tenantId })
  op.audit.setTarget('user', { id: user.id, name: username, tenantId })
}

/** Gives the user the role that the provider names now. Its other sessions end when it changes. */
export async function giveProvidedRole(
  op: Op,
  { id, tenantId, username }: Account,
  roleName: string,
): Promise<void> {
  const role = await providedRole(op, tenantId, roleName)
  const user = await op.users.get(id)
  user.roleId = role.id
  await op.sessions.revokeAll(id)
  await op.flush()
  op.changes.record('user', { id, version: user.version, tenantId })
  op.audit.setTarget('user', { id, name: username, tenantId })
}

/**
 * Deletes a user whose provider names another tenant now, with its sessions and API keys. Refuses
 * when that tenant cannot take the user, so that a mistake of the provider erases no user.
 */
export async function removeMovedUser(
  op: Op,
  { id, tenantId, username }: Account,
  next: { id: string; slug: string; user: ProvidedUser },
): Promise<void> {
  await providedRole(op, next.id, next.user.roleName)
  const name = usableName(next.user.username)
  const namesakes = await op.reads.users.accountsNamed({ tenantSlug: next.slug, username: name })
  if (namesakes.length > 0) throw unusableName(name)
  const user = await op.users.get(id)
  op.users.remove(user)
  op.changes.record('user', { id, version: user.version + 1, tenantId })
  op.audit.setTarget('user', { id, name: username, tenantId })
}

/** Roles from a provider never include those of the platform. */
async function providedRole(op: Op, tenantId: string, name: string): Promise<{ id: string }> {
  const role = await op.roles.findByName(name, tenantId)
  if (!role || assignmentRefusal(role)) throw notAUser()
  return role
}

export const notAUser = (): Fault => new Fault('forbidden', messageOf('access.not_a_user'))

function usableName(name: string): string {
  try {
    return requireUsername(name)
  } catch (error) {
    throw unusableName(name, error)
  }
}

/** Returns the refusal for a name that another user of the tenant took at the same moment. */
export const takenName = (error: unknown, name: string): Fault | null =>
  error instanceof Fault && error.userMessage.key === 'access.username_taken'
    ? unusableName(name, error)
    : null

/** The user cannot choose another name, because the provider sends it. */
const unusableName = (name: string, cause?: unknown): Fault =>
  new Fault('forbidden', messageOf('access.provider_name_unusable', { name }), { cause })

/** The email address is only shown, so an invalid one does not prevent a login. */
function safeEmail(email: string | null): string {
  try {
    return requireEmail(email ?? '')
  } catch {
    return ''
  }
}
