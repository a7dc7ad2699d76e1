import type pg from 'pg'
import { Fault } from '../../engine/model/fault.ts'
import { systemRoles } from '../../domain/identity/permission.ts'
import { defaultSlug, namespaceFrom } from '../../domain/tenant/rules.ts'
import { randomToken } from '../../runtime/ids.ts'
import { type Log } from '../../runtime/log.ts'
import { passwords } from '../../runtime/password.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { type Op } from '../op.ts'
import { type Store } from '../store.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface RootSeed {
  /** The password in the environment. When null, a random one is generated. */
  rootPassword: Secret | null
  log: Log
}

const seedLock = 0x73656564
const minPasswordLength = 12

/**
 * Creates the system roles, the first tenant and root. Runs at every start. When two replicas start
 * at once, one creates them and the other finds them.
 */
export async function seedIdentity(
  store: Store,
  { rootPassword, log }: RootSeed,
): Promise<{ generatedRootPassword: Secret | null }> {
  const configured = rootPassword === null ? null : requireRootPassword(rootPassword.reveal())
  const password = configured ?? randomToken(18)
  const passwordHash = await passwords.hash(password)
  const existingHash = await asPlatform(store, async (op) => {
    await seedRoles(op)
    const tenant = await seedTenant(op)
    const root = await op.users.root()
    if (root) return root.passwordHash ?? ''
    await addRoot(op, tenant.id, passwordHash)
    return null
  })
  const isNew = existingHash === null
  if (!isNew && configured !== null) await warnIfDifferent(configured, existingHash, log)
  return {
    generatedRootPassword: isNew && configured === null ? new Secret(password) : null,
  }
}

/**
 * Sets another password of root, removes root's second factor and ends root's sessions. It is for
 * an operator with access to the server who has lost the password or the device.
 */
export async function resetRootPassword(
  store: Store,
  password: Secret | null,
): Promise<{ password: Secret }> {
  const next = password === null ? randomToken(18) : requireRootPassword(password.reveal())
  const passwordHash = await passwords.hash(next)
  await asPlatform(store, async (op) => {
    const root = await op.users.root()
    if (!root) throw new Fault('not_found', messageOf('access.root_missing'))
    Object.assign(root, { passwordHash, state: 'active' })
    const factor = await op.secondFactors.find(root.id)
    if (factor) op.secondFactors.remove(factor)
    await op.sessions.revokeAll(root.id)
    op.changes.record('user', { id: root.id, version: root.version + 1, tenantId: root.tenantId })
  })
  return { password: new Secret(next) }
}

function asPlatform<T>(store: Store, act: (op: Op) => Promise<T>): Promise<T> {
  const lock = async (client: pg.ClientBase) =>
    void (await client.query('select pg_advisory_xact_lock($1)', [seedLock]))
  return store.work({ scope: 'platform', fence: lock }, act)
}

async function seedRoles(op: Op): Promise<void> {
  const existing = new Map((await op.roles.findSystem()).map((role) => [role.id, role]))
  for (const [name, { id, permissions }] of Object.entries(systemRoles)) {
    const role = existing.get(id)
    // An earlier release may have created the row with another name or other permissions.
    if (!role) op.roles.addSystem({ id, name, permissions: [...permissions] })
    else if (role.name !== name || role.permissions.join() !== permissions.join())
      Object.assign(role, { name, permissions: [...permissions] })
  }
  await op.flush()
}

async function seedTenant(op: Op): Promise<{ id: string }> {
  const existing = await op.tenants.findBySlug(defaultSlug)
  if (existing) return existing
  const tenant = await op.tenants.insert({
    name: 'Default',
    slug: defaultSlug,
    namespace: namespaceFrom(defaultSlug),
    description: '',
  })
  await op.securityGroups.insertDefault(tenant.id)
  op.changes.record('tenant', { id: tenant.id, version: tenant.version, tenantId: tenant.id })
  op.work.enqueue('tenant', { id: tenant.id, tenantId: tenant.id })
  return tenant
}

async function addRoot(op: Op, tenantId: string, passwordHash: string): Promise<void> {
  const roleId = systemRoles['platform.root'].id
  const root = op.users.add({
    tenantId,
    username: 'root',
    email: 'root@berth.local',
    roleId,
    passwordHash,
  })
  await op.flush()
  op.changes.record('user', { id: root.id, version: root.version, tenantId })
}

/**
 * The password in the environment is for the first start only: a restart must not undo a change
 * that root has made since.
 */
async function warnIfDifferent(configured: string, phc: string, log: Log): Promise<void> {
  if (await passwords.verify(configured, phc || null)) return
  log.warn('identity.root_password_ignored', {
    effect: 'the user root keeps its password: BERTH_ROOT_PASSWORD applies to the first start only',
    remedy: 'unset BERTH_ROOT_PASSWORD, or set the password with reset-root-password',
  })
}

function requireRootPassword(password: string): string {
  if (password.length >= minPasswordLength) return password
  throw new Fault(
    'invalid_input',
    messageOf('access.root_password_short', { least: minPasswordLength }),
  )
}
