import { type Secret } from '../../runtime/config/secret.ts'
import { type ObjectNoun, type ClusterScopedNoun } from '../reader.ts'
import { type DesiredAdmission } from './admission.ts'
import {
  type DesiredHostBridge,
  type DesiredMultiNetworkPolicy,
  type DesiredNetwork,
  type DesiredNetworkPolicy,
  type DesiredRouter,
  type DesiredSubnet,
} from './network.ts'
import { type DesiredEndpointSlice, type DesiredService } from './service.ts'
import {
  type DesiredDataVolume,
  type DesiredVolume,
  type DesiredVolumeSnapshot,
} from './storage.ts'
import {
  type DesiredVm,
  type DesiredVmClone,
  type DesiredVmRestore,
  type DesiredVmSnapshot,
} from './vm.ts'

/**
 * The desired state of every kind of object that Berth writes, in a tenant's namespace or for the
 * whole cluster.
 */
export interface DesiredByNoun {
  vm: DesiredVm
  /** A volume that CDI fills while it creates it. */
  dataVolume: DesiredDataVolume
  volume: DesiredVolume
  volumeSnapshot: DesiredVolumeSnapshot
  vmSnapshot: DesiredVmSnapshot
  vmRestore: DesiredVmRestore
  vmClone: DesiredVmClone
  network: DesiredNetwork
  networkPolicy: DesiredNetworkPolicy
  service: DesiredService
  endpointSlice: DesiredEndpointSlice
  multiNetworkPolicy: DesiredMultiNetworkPolicy
  quota: DesiredQuota
  limits: DesiredLimits
  secret: DesiredSecret
  admissionPolicy: DesiredAdmission
  admissionBinding: DesiredAdmission
  /** The router of one VPC, which connects its subnets. */
  router: DesiredRouter
  subnet: DesiredSubnet
  hostBridge: DesiredHostBridge
}

export interface DesiredObject<N extends ObjectNoun> {
  noun: N
  namespace: N extends ClusterScopedNoun ? null : string
  name: string
  tenantId: string
  rowId: string
  /** The uid stored after the first successful apply; null until then. */
  uid: string | null
  spec: DesiredByNoun[N]
}

/**
 * A backstop for the whole namespace. It is far above the tenant's quota, because imports and
 * migrations need extra room.
 */
export interface DesiredQuota {
  vms?: number
  pods?: number
  cpuMillis?: number
  memoryMi?: number
  volumes?: number
  storageGi?: number
  volumeSnapshots?: number
}

/** Default requests of containers that declare none. */
export interface DesiredLimits {
  requests: { cpuMillis: number; memoryMi: number }
}

export interface DesiredSecret {
  values: Readonly<Record<string, Secret>>
}
