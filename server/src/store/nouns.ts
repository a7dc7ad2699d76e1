import { type IntersectionOf } from '../engine/model/intersection.ts'
import { clusterCapacityNoun } from './cluster-capacity/noun.ts'
import { eventNoun } from './event/noun.ts'
import { identityNoun } from './identity/noun.ts'
import { networkNoun } from './network/noun.ts'
import { nicNoun } from './nic/noun.ts'
import { operationNoun } from './operation/noun.ts'
import { overviewNoun } from './overview/noun.ts'
import { securityGroupNoun } from './security-group/noun.ts'
import { serviceOfferingNoun } from './service-offering/noun.ts'
import { snapshotScheduleNoun } from './snapshot-schedule/noun.ts'
import { sshKeyNoun } from './ssh-key/noun.ts'
import { tenantNoun } from './tenant/noun.ts'
import { vmNoun } from './vm/noun.ts'
import { vmFirewallNoun } from './vm-firewall/noun.ts'
import { vmSnapshotNoun } from './vm-snapshot/noun.ts'
import { vmSshNoun } from './vm-ssh/noun.ts'
import { vmTemplateNoun } from './vm-template/noun.ts'
import { volumeNoun } from './volume/noun.ts'
import { volumeSnapshotNoun } from './volume-snapshot/noun.ts'
import { vpcNoun } from './vpc/noun.ts'

/** Every noun of the store. A new noun is one line here. */
export const nouns = [
  clusterCapacityNoun,
  eventNoun,
  identityNoun,
  networkNoun,
  nicNoun,
  operationNoun,
  overviewNoun,
  securityGroupNoun,
  serviceOfferingNoun,
  snapshotScheduleNoun,
  sshKeyNoun,
  tenantNoun,
  vmNoun,
  vmFirewallNoun,
  vmSnapshotNoun,
  vmSshNoun,
  vmTemplateNoun,
  volumeNoun,
  volumeSnapshotNoun,
  vpcNoun,
] as const

type Noun = (typeof nouns)[number]

type ReadClasses = IntersectionOf<Noun['reads']>
type StoreClasses = IntersectionOf<Noun['stores']>

export type NounReads = {
  readonly [Name in keyof ReadClasses]: ReadClasses[Name] extends new (reader: never) => infer Reads
    ? Reads
    : never
}
export type NounStores = {
  readonly [Name in keyof StoreClasses]: StoreClasses[Name] extends new (
    ...args: never
  ) => infer Store
    ? Store
    : never
}
export type NounWorkKeys = IntersectionOf<Noun['workKeys']>
