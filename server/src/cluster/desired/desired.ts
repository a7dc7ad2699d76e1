import { type Secret } from '../../runtime/config/secret.ts'
import { type ObjectNoun, type WideNoun } from '../reader.ts'
import { type WantedAdmission } from './admission.ts'
import {
  type WantedHostBridge,
  type WantedMultiNetworkPolicy,
  type WantedNetwork,
  type WantedNetworkPolicy,
  type WantedRouter,
  type WantedSubnet,
} from './network.ts'
import { type WantedEndpointSlice, type WantedService } from './service.ts'
import { type WantedDataVolume, type WantedVolume, type WantedVolumeSnapshot } from './storage.ts'
import {
  type WantedVm,
  type WantedVmClone,
  type WantedVmRestore,
  type WantedVmSnapshot,
} from './vm.ts'

/**
 * Everything that Berth makes inside a tenant's namespace or for the whole cluster, and what it
 * says about each.
 */
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
  service: WantedService
  endpointSlice: WantedEndpointSlice
  multiNetworkPolicy: WantedMultiNetworkPolicy
  quota: WantedQuota
  limits: WantedLimits
  secret: WantedSecret
  admissionPolicy: WantedAdmission
  admissionBinding: WantedAdmission
  /** What subnets of one VPC are behind. */
  router: WantedRouter
  subnet: WantedSubnet
  hostBridge: WantedHostBridge
}

export interface WantedObject<N extends ObjectNoun> {
  noun: N
  namespace: N extends WideNoun ? null : string
  name: string
  tenantId: string
  rowId: string
  /** The uid stored after the first success; null until then. */
  uid: string | null
  as: WantedByNoun[N]
}

/**
 * Limits of the whole namespace: a safety net far above what is sold, because importing and
 * migrating need room of their own.
 */
export interface WantedQuota {
  vms?: number
  pods?: number
  cpuMillis?: number
  memoryMi?: number
  volumes?: number
  storageGi?: number
  volumeSnapshots?: number
}

/** What containers ask for that do not say it themselves. */
export interface WantedLimits {
  requests: { cpuMillis: number; memoryMi: number }
}

export interface WantedSecret {
  values: Readonly<Record<string, Secret>>
}
