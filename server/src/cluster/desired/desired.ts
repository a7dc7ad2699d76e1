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
 * The desired state of every kind of object that Berth writes, in a tenant's namespace or for the
 * whole cluster.
 */
export interface WantedByNoun {
  vm: WantedVm
  /** A volume that CDI fills while it creates it. */
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
  /** The router of one VPC, which connects its subnets. */
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
  /** The uid stored after the first successful apply; null until then. */
  uid: string | null
  as: WantedByNoun[N]
}

/**
 * A backstop for the whole namespace. It is far above the tenant's quota, because imports and
 * migrations need extra room.
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

/** Default requests of containers that declare none. */
export interface WantedLimits {
  requests: { cpuMillis: number; memoryMi: number }
}

export interface WantedSecret {
  values: Readonly<Record<string, Secret>>
}
