import { systemRoles } from '../../domain/identity/permission.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type Op } from '../../store/op.ts'
import { hashNewPassword } from './password-hash.ts'

/** Creates the first user of a new tenant. The audit row stays that of the tenant. */
export async function createTenantAdmin(
  op: Op,
  tenant: { id: string; slug: string },
  password: string,
): Promise<UserView> {
  const username = `${tenant.slug}-admin`
  const passwordHash = await hashNewPassword({ username, password, path: 'adminPassword' })
  const user = op.users.add({
    tenantId: tenant.id,
    username,
    email: '',
    roleId: systemRoles['tenant.admin'].id,
    passwordHash,
  })
  await op.flush()
  const adminUser = await op.reads.users.find(user.id)
  if (!adminUser) throw new TypeError('the first user of a tenant is missing after it was written')
  op.changes.record('user', { id: user.id, version: adminUser.version, tenantId: tenant.id })
  return adminUser
}
