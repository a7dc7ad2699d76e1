import { type Secret } from '../../runtime/secret.ts'
import { type ObjectNoun } from '../reader.ts'
import { type WantedNetwork, type WantedNetworkPolicy } from './wanted-network.ts'
import { type WantedDataVolume, type WantedVolume, type WantedVolumeSnapshot } from './wanted-storage.ts'
import { type WantedVm, type WantedVmClone, type WantedVmRestore, type WantedVmSnapshot } from './wanted-vm.ts'

/** Everything that Berth makes inside a tenant's namespace, and what it says about each. */
export interface WantedByNoun {
  vm: WantedVm
  /** A volume that is filled while it is made. */
  dataVolume: WantedDataVolume
  volume: WantedVolume
  volumeSnapshot: WantedVolumeSnapshot
  vmSnapshot: WantedVmSnapshot
  vmRestore: WantedVmRestore
  vmClone: WantedVmClone
  network: WantedNetwork
  networkPolicy: WantedNetworkPolicy
  quota: WantedQuota
  secret: WantedSecret
}

export interface WantedObject<N extends ObjectNoun> {
  noun: N
  namespace: string
  name: string
  tenantId: string
  rowId: string
  /** The uid stored after the first success; null until then. */
  uid: string | null
  as: WantedByNoun[N]
}

/** Limits of the whole namespace: a safety net far above what is sold, because importing and migrating need room of their own. */
export interface WantedQuota {
  vms?: number
  pods?: number
  cpuMillis?: number
  memoryMi?: number
  volumes?: number
  storageGi?: number
  volumeSnapshots?: number
}

export interface WantedSecret {
  values: Readonly<Record<string, Secret>>
}
