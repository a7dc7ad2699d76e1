// `npm run fix` writes this file from the exports of server/src/store/*/noun.ts.
import { clusterCapacityNoun } from './cluster-capacity/noun.ts'
import { eventNoun } from './event/noun.ts'
import { identityNoun } from './identity/noun.ts'
import { networkNoun } from './network/noun.ts'
import { nicNoun } from './nic/noun.ts'
import { nodeNoun } from './node/noun.ts'
import { operationNoun } from './operation/noun.ts'
import { overviewNoun } from './overview/noun.ts'
import { securityGroupNoun } from './security-group/noun.ts'
import { serviceOfferingNoun } from './service-offering/noun.ts'
import { snapshotScheduleNoun } from './snapshot-schedule/noun.ts'
import { sshKeyNoun } from './ssh-key/noun.ts'
import { tenantNoun } from './tenant/noun.ts'
import { unmanagedVmNoun } from './unmanaged-vm/noun.ts'
import { vmFirewallNoun } from './vm-firewall/noun.ts'
import { vmSnapshotNoun } from './vm-snapshot/noun.ts'
import { vmSshNoun } from './vm-ssh/noun.ts'
import { vmTemplateNoun } from './vm-template/noun.ts'
import { vmNoun } from './vm/noun.ts'
import { volumeSnapshotNoun } from './volume-snapshot/noun.ts'
import { volumeNoun } from './volume/noun.ts'
import { vpcNoun } from './vpc/noun.ts'

/** Every noun of the store. */
export const nouns = [
  clusterCapacityNoun,
  eventNoun,
  identityNoun,
  networkNoun,
  nicNoun,
  nodeNoun,
  operationNoun,
  overviewNoun,
  securityGroupNoun,
  serviceOfferingNoun,
  snapshotScheduleNoun,
  sshKeyNoun,
  tenantNoun,
  unmanagedVmNoun,
  vmFirewallNoun,
  vmSnapshotNoun,
  vmSshNoun,
  vmTemplateNoun,
  vmNoun,
  volumeSnapshotNoun,
  volumeNoun,
  vpcNoun,
] as const
