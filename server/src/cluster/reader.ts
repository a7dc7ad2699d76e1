import {
  type ObjectRef,
  type Page,
  type PageRequest,
  type SeenObject,
} from '../engine/kube/seen.ts'
import { type SeenHostSize } from '../domain/cluster-capacity/cluster-capacity.ts'
import { type SeenHost, type SeenHostBridge } from '../domain/network/host.ts'
import { type SeenVm } from '../domain/vm/seen.ts'
import { type SeenDataVolume } from '../domain/volume/data-volume.ts'
import { type SeenClaim, type SeenHolder } from '../domain/volume/seen.ts'
import { type SeenSnapshot } from '../domain/volume-snapshot/state.ts'
import { type SeenRestore } from '../domain/vm/restore-step.ts'
import { type SeenVmSnapshot } from '../domain/vm-snapshot/state.ts'
import { type Capabilities } from './capabilities/capabilities.ts'

export interface NamespaceRef {
  name: string
}

export interface SeenNamespace {
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
  getNamespace(ref: NamespaceRef): Promise<SeenNamespace | null>
  /** Lists only namespaces that Berth manages. */
  listNamespaces(page: PageRequest): Promise<Page<SeenNamespace>>
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
export const wideNouns = [
  'admissionPolicy',
  'admissionBinding',
  'router',
  'subnet',
  'hostBridge',
] as const
export type WideNoun = (typeof wideNouns)[number]

/**
 * Secrets are read one by one: Berth needs no right to list all secrets of a cluster, and never
 * holds them. Not every cluster serves MultiNetworkPolicies.
 */
export const objectNouns = [...listedNouns, 'secret', 'multiNetworkPolicy', ...wideNouns] as const
export type ObjectNoun = (typeof objectNouns)[number]

export interface ObjectReader {
  getObject(noun: ObjectNoun, ref: ObjectRef): Promise<SeenObject | null>
  /** Lists only objects that Berth manages, in all namespaces. */
  listObjects(noun: ListedNoun, page: PageRequest): Promise<Page<SeenObject>>
}

/** A Kube-OVN subnet, and whether VMs can use it. */
export interface SeenSubnet extends SeenObject {
  isReady: boolean
}

/** The fields of a VM that tell whether it must be read in full. */
export interface ListedVm extends SeenObject {
  printableStatus: string | null
  runStrategy: string | null
  ready: boolean
}

/** A VMI. It has the name of its VM, and the labels that the VM's template had at the start. */
export interface ListedInstance extends SeenObject {
  phase: string | null
  node: string | null
}

export interface VmReader {
  /**
   * Reads the VM and its VMI. Reads its volumes or its launcher pods only when the reason of its
   * state is unclear without them. Makes at most three calls, and one when nothing runs.
   */
  getVm(ref: { namespace: string; name: string }): Promise<SeenVm | null>
  /** Lists only VMs that Berth manages, in all namespaces. */
  listVms(page: PageRequest): Promise<Page<ListedVm>>
  listInstances(page: PageRequest): Promise<Page<ListedInstance>>
}

export interface DataVolumeReader {
  getDataVolume(ref: { namespace: string; name: string }): Promise<SeenDataVolume | null>
}

export interface VolumeReader {
  getVolumeSnapshot(ref: { namespace: string; name: string }): Promise<SeenSnapshot | null>
  getClaim(ref: { namespace: string; name: string }): Promise<SeenClaim | null>
  /**
   * Tells whether the VM of this row uses the disk. Another VM of the same name does not count.
   * Null when there is no VM of this name.
   */
  getHolder(
    vm: { namespace: string; name: string; rowId: string },
    disk: string,
  ): Promise<SeenHolder | null>
}

export interface VmCopyReader {
  /** Reports a snapshot as ready only after KubeVirt has released its VM. */
  getVmSnapshot(ref: { namespace: string; name: string }): Promise<SeenVmSnapshot | null>
  /** Returns the object with the content of a snapshot. It may outlive the snapshot itself. */
  getVmSnapshotContent(ref: { namespace: string; uid: string }): Promise<SeenObject | null>
  getVmRestore(ref: { namespace: string; name: string }): Promise<SeenRestore | null>
}

export interface SeenService {
  uid: string
  version: string
  /** The port on every node that leads to the service; null when it has none. */
  nodePort: number | null
}

export interface ServiceReader {
  getService(ref: { namespace: string; name: string }): Promise<SeenService | null>
}

export interface SubnetReader {
  getSubnet(ref: { name: string }): Promise<SeenSubnet | null>
}

export interface HostReader {
  /** NMState reports this and `listHosts`. Both throw `not_served` when it is not installed. */
  getHostBridge(ref: { name: string }): Promise<(SeenObject & SeenHostBridge) | null>
  listHosts(): Promise<SeenHost[]>
  listHostSizes(): Promise<SeenHostSize[]>
}

export interface CapabilityReader {
  /** Reads the whole cluster with about ten calls, so requests must not call it. */
  readCapabilities(): Promise<Capabilities>
}

/**
 * The current state of the cluster. Every method calls the API server; none answers from a cache.
 */
export type ClusterReader = NamespaceReader &
  ObjectReader &
  VmReader &
  DataVolumeReader &
  VolumeReader &
  VmCopyReader &
  ServiceReader &
  SubnetReader &
  HostReader &
  CapabilityReader
