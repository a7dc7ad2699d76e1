import { apiKeyRoutes } from './api-key.ts'
import { authRoutes } from './auth.ts'
import { eventRoutes } from './events.ts'
import { networkRoutes } from './network.ts'
import { operationRoutes } from './operation.ts'
import { overviewRoutes } from './overview.ts'
import { roleRoutes } from './role.ts'
import { type RestRoute } from './route.ts'
import { securityGroupRoutes } from './security-group.ts'
import { serviceOfferingRoutes } from './service-offering.ts'
import { sshKeyRoutes } from './ssh-key.ts'
import { tenantRoutes } from './tenant.ts'
import { userRoutes } from './user.ts'
import { vmRoutes } from './vm.ts'
import { vmSnapshotRoutes } from './vm-snapshot.ts'
import { vmSshRoutes } from './vm-ssh.ts'
import { vmTemplateRoutes } from './vm-template.ts'
import { vmVerbRoutes } from './vm-verb.ts'
import { vmVolumeRoutes } from './vm-volume.ts'
import { volumeRoutes } from './volume.ts'
import { volumeSnapshotRoutes } from './volume-snapshot.ts'
import { vpcRoutes } from './vpc.ts'

/**
 * The whole of /api/v1: each row runs a document on the schema, so its guards are the resolvers'.
 */
export const restRoutes: readonly RestRoute[] = [
  ...authRoutes,
  ...tenantRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...apiKeyRoutes,
  ...vpcRoutes,
  ...networkRoutes,
  ...securityGroupRoutes,
  ...volumeRoutes,
  ...volumeSnapshotRoutes,
  ...serviceOfferingRoutes,
  ...vmTemplateRoutes,
  ...vmRoutes,
  ...vmVerbRoutes,
  ...vmVolumeRoutes,
  ...vmSshRoutes,
  ...vmSnapshotRoutes,
  ...sshKeyRoutes,
  ...overviewRoutes,
  ...operationRoutes,
  ...eventRoutes,
]
