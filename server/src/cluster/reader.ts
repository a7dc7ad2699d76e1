import {
  type ObjectRef,
  type Page,
  type PageRequest,
  type ObservedObject,
} from '../engine/kube/observed.ts'
import { type ObservedNodeSize } from '../domain/cluster-capacity/cluster-capacity.ts'
import { type ObservedNode, type ObservedNodeBridge } from '../domain/network/node.ts'
import { type FoundVm } from '../domain/unmanaged-vm/unmanaged-vm.ts'
import { type ObservedVm } from '../domain/vm/observed.ts'
import { type ObservedDataVolume } from '../domain/volume/data-volume.ts'
import { type ObservedClaim, type ObservedHolder } from '../domain/volume/observed.ts'
import { type ObservedSnapshot } from '../domain/volume-snapshot/state.ts'
import { type ObservedRestore } from '../domain/vm/restore-step.ts'
import { type ObservedVmSnapshot } from '../domain/vm-snapshot/state.ts'
import { type Secret } from '../runtime/config/secret.ts'
import { type Capabilities } from './capabilities/capabilities.ts'

export interface NamespaceRef {
  name: string
}

export interface ObservedNamespace {
  name: string
  uid: string
  version: string
  /** The tenant in the object's labels; null when Berth does not manage the object. */
  tenantId: string | null
  rowId: string | null
  /** `unknown` stands for a phase that this version of Berth does not know. */
  phase: 'active' | 'terminating' | 'unknown'
  /** The cluster's message about why a deleted namespace still exists. */
  blockedBy: string | null
}

export interface NamespaceReader {
  getNamespace(ref: NamespaceRef): Promise<ObservedNamespace | null>
  /** Lists only namespaces that Berth manages. */
  listNamespaces(page: PageRequest): Promise<Page<ObservedNamespace>>
}

export const listedNouns = [
  'vm',
  'dataVolume',
  'volume',
  'volumeSnapshot',
  'vmSnapshot',
  'vmRestore',
  'vmClone',
  'network',
  'networkPolicy',
  'service',
  'endpointSlice',
  'quota',
  'limits',
] as const
export type ListedNoun = (typeof listedNouns)[number]

/** Nouns that are cluster-scoped. */
export const clusterScopedNouns = [
  'admissionPolicy',
  'admissionBinding',
  'router',
  'subnet',
  'hostBridge',
] as const
export type ClusterScopedNoun = (typeof clusterScopedNouns)[number]

/**
 * Secrets are read one by one: Berth needs no right to list all secrets of a cluster, and never
 * holds them. Not every cluster serves MultiNetworkPolicies.
 */
export const objectNouns = [
  ...listedNouns,
  'secret',
  'multiNetworkPolicy',
  ...clusterScopedNouns,
] as const
export type ObjectNoun = (typeof objectNouns)[number]

export interface ObjectReader {
  getObject(noun: ObjectNoun, ref: ObjectRef): Promise<ObservedObject | null>
  /** Lists only objects that Berth manages, in all namespaces. */
  listObjects(noun: ListedNoun, page: PageRequest): Promise<Page<ObservedObject>>
}

/** A Kube-OVN subnet, and whether VMs can use it. */
export interface ObservedSubnet extends ObservedObject {
  isReady: boolean
}

/** The fields of a VM that tell whether it must be read in full. */
export interface ListedVm extends ObservedObject {
  printableStatus: string | null
  runStrategy: string | null
  ready: boolean
}

/** A VMI. It has the name of its VM, and the labels that the VM's template had at the start. */
export interface ListedInstance extends ObservedObject {
  phase: string | null
  node: string | null
}

export interface VmReader {
  /**
   * Reads the VM and its VMI. Reads its volumes or its launcher pods only when the reason of its
   * state is unclear without them. Makes at most three calls, and one when nothing runs.
   */
  getVm(ref: { namespace: string; name: string }): Promise<ObservedVm | null>
  /** Lists only VMs that Berth manages, in all namespaces. */
  listVms(page: PageRequest): Promise<Page<ListedVm>>
  listInstances(page: PageRequest): Promise<Page<ListedInstance>>
}

export interface UnmanagedVmReader {
  /** Lists the VMs of all clients in a namespace, without their contents. */
  listAllVms(ref: { namespace: string }): Promise<ObservedObject[]>
  /** Describes the VMs with these names. A VM that is gone is left out. */
  describeVms(refs: {
    namespace: string
    names: readonly string[]
  }): Promise<(ObservedObject & { found: FoundVm })[]>
  /** Reads the settings of a VM with their user data. Null when they do not exist. */
  getVmSettings(ref: {
    namespace: string
    name: string
  }): Promise<(ObservedObject & { userData: Secret | null }) | null>
}

export interface DataVolumeReader {
  getDataVolume(ref: { namespace: string; name: string }): Promise<ObservedDataVolume | null>
}

export interface VolumeReader {
  getVolumeSnapshot(ref: { namespace: string; name: string }): Promise<ObservedSnapshot | null>
  getClaim(ref: { namespace: string; name: string }): Promise<ObservedClaim | null>
  /**
   * Tells whether the VM of this row uses the disk. Another VM of the same name does not count.
   * Null when there is no VM of this name.
   */
  getHolder(
    vm: { namespace: string; name: string; rowId: string },
    disk: string,
  ): Promise<ObservedHolder | null>
}

export interface VmSnapshotReader {
  /** Reports a snapshot as ready only after KubeVirt has released its VM. */
  getVmSnapshot(ref: { namespace: string; name: string }): Promise<ObservedVmSnapshot | null>
  /** Returns the object with the content of a snapshot. It may outlive the snapshot itself. */
  getVmSnapshotContent(ref: { namespace: string; uid: string }): Promise<ObservedObject | null>
  getVmRestore(ref: { namespace: string; name: string }): Promise<ObservedRestore | null>
}

export interface ObservedService {
  uid: string
  version: string
  /** The port on every node that leads to the service; null when it has none. */
  nodePort: number | null
}

export interface ServiceReader {
  getService(ref: { namespace: string; name: string }): Promise<ObservedService | null>
}

export interface SubnetReader {
  getSubnet(ref: { name: string }): Promise<ObservedSubnet | null>
}

export interface VlanTagReader {
  /** Lists the VLAN tags of the bridge that any attachment uses, also those of other owners. */
  listVlanTags(on: { bridge: string }): Promise<number[]>
}

export interface NodeReader {
  /** NMState reports this and `listNodes`. Both throw `not_served` when it is not installed. */
  getHostBridge(ref: { name: string }): Promise<(ObservedObject & ObservedNodeBridge) | null>
  listNodes(): Promise<ObservedNode[]>
  listNodeSizes(): Promise<ObservedNodeSize[]>
}

export interface CapabilityReader {
  /**
   * Reads the components and rights with five calls, and sometimes what they offer with seven more.
   * Requests must not call it.
   */
  readCapabilities(): Promise<Capabilities>
  /** Throws when the API server does not answer with its version. */
  checkAnswers(): Promise<void>
}

/**
 * The current state of the cluster. Every method calls the API server. Only the capabilities
 * contain facts that are up to five minutes old.
 */
export type ClusterReader = NamespaceReader &
  ObjectReader &
  VmReader &
  UnmanagedVmReader &
  DataVolumeReader &
  VolumeReader &
  VmSnapshotReader &
  ServiceReader &
  SubnetReader &
  VlanTagReader &
  NodeReader &
  CapabilityReader
