import { apiKeyRoutes } from './identity/api-key.ts'
import { authRoutes } from './identity/auth.ts'
import { eventRoutes } from './event/events.ts'
import { networkRoutes } from './network/network.ts'
import { operationRoutes } from './overview/operation.ts'
import { overviewRoutes } from './overview/overview.ts'
import { roleRoutes } from './identity/role.ts'
import { type RestRoute } from '../../engine/rest/route.ts'
import { securityGroupRoutes } from './access/security-group.ts'
import { serviceOfferingRoutes } from './tenant/service-offering.ts'
import { sshKeyRoutes } from './access/ssh-key.ts'
import { tenantRoutes } from './tenant/tenant.ts'
import { userRoutes } from './identity/user.ts'
import { vmRoutes } from './vm/vm.ts'
import { vmSnapshotRoutes } from './vm/vm-snapshot.ts'
import { vmSshRoutes } from './vm/vm-ssh.ts'
import { vmTemplateRoutes } from './vm/vm-template.ts'
import { vmVerbRoutes } from './vm/vm-verb.ts'
import { vmVolumeRoutes } from './vm/vm-volume.ts'
import { volumeRoutes } from './volume/volume.ts'
import { volumeSnapshotRoutes } from './volume/volume-snapshot.ts'
import { vpcRoutes } from './network/vpc.ts'

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
