import { type InferKyselyTable } from '@mikro-orm/sql'
import { type ApiKeySchema } from './entities/api-key.ts'
import { type AuditEventSchema } from './entities/audit-event.ts'
import { type OperationSchema } from './entities/operation.ts'
import { type RoleSchema } from './entities/role.ts'
import { type ServiceOfferingSchema } from './entities/service-offering.ts'
import { type SessionSchema } from './entities/session.ts'
import { type SshKeySchema } from './entities/ssh-key.ts'
import { type TenantSchema } from './entities/tenant.ts'
import { type TenantQuotaSchema } from './entities/tenant-quota.ts'
import { type UserSchema } from './entities/user.ts'
import { type VmSchema } from './entities/vm.ts'
import { type VmTemplateSchema } from './entities/vm-template.ts'

/** The tables as typed SQL sees them; columns are inferred from the entities, so the two cannot drift. */
export interface Tables {
  api_key: InferKyselyTable<typeof ApiKeySchema>
  audit_event: InferKyselyTable<typeof AuditEventSchema>
  operation: InferKyselyTable<typeof OperationSchema>
  role: InferKyselyTable<typeof RoleSchema>
  service_offering: InferKyselyTable<typeof ServiceOfferingSchema>
  session: InferKyselyTable<typeof SessionSchema>
  ssh_key: InferKyselyTable<typeof SshKeySchema>
  tenant: InferKyselyTable<typeof TenantSchema>
  tenant_quota: InferKyselyTable<typeof TenantQuotaSchema>
  user_account: InferKyselyTable<typeof UserSchema>
  vm: InferKyselyTable<typeof VmSchema>
  vm_template: InferKyselyTable<typeof VmTemplateSchema>
}
