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
  /** Null on an object that is not ours. */
  tenantId: string | null
  rowId: string | null
  /** `unknown` is whatever a newer cluster calls it. */
  phase: 'active' | 'terminating' | 'unknown'
  /** Why a deleted namespace is still there, in the cluster's words. */
  blockedBy: string | null
}

export interface NamespaceReader {
  getNamespace(ref: NamespaceRef): Promise<SeenNamespace | null>
  /** Ours only. */
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

/** What belongs to no namespace. */
export const wideNouns = [
  'admissionPolicy',
  'admissionBinding',
  'router',
  'subnet',
  'hostBridge',
] as const
export type WideNoun = (typeof wideNouns)[number]

/**
 * Secrets are read one by one: Berth needs no right to see all of a cluster's, and never holds
 * them. Filters of other networks not every cluster has.
 */
export const objectNouns = [...listedNouns, 'secret', 'multiNetworkPolicy', ...wideNouns] as const
export type ObjectNoun = (typeof objectNouns)[number]

export interface ObjectReader {
  getObject(noun: ObjectNoun, ref: ObjectRef): Promise<SeenObject | null>
  /** Ours only, of all namespaces. */
  listObjects(noun: ListedNoun, page: PageRequest): Promise<Page<SeenObject>>
}

/** A subnet of the cluster's own network, and whether VMs can be in it. */
export interface SeenSubnet extends SeenObject {
  isReady: boolean
}

/** As much of a VM as tells whether to look closer. */
export interface ListedVm extends SeenObject {
  printableStatus: string | null
  runStrategy: string | null
  ready: boolean
}

/**
 * One run of a VM. Its name is the VM's, its labels are what the VM's template said when it
 * started.
 */
export interface ListedInstance extends SeenObject {
  phase: string | null
  node: string | null
}

export interface VmReader {
  /**
   * Looks closely: the VM, what runs of it, and only where these two leave the reason open its
   * volumes or the pod that should run it. Three calls at most, one where nothing runs.
   */
  getVm(ref: { namespace: string; name: string }): Promise<SeenVm | null>
  /** Ours only, of all namespaces. */
  listVms(page: PageRequest): Promise<Page<ListedVm>>
  listInstances(page: PageRequest): Promise<Page<ListedInstance>>
}

export interface DataVolumeReader {
  getDataVolume(ref: { namespace: string; name: string }): Promise<SeenDataVolume | null>
}

export interface VolumeReader {
  getVolumeSnapshot(ref: { namespace: string; name: string }): Promise<SeenSnapshot | null>
  getClaim(ref: { namespace: string; name: string }): Promise<SeenClaim | null>
  /** Whether a VM has the disk: the row's VM and no other of its name. Null where none is there. */
  getHolder(
    vm: { namespace: string; name: string; rowId: string },
    disk: string,
  ): Promise<SeenHolder | null>
}

export interface VmCopyReader {
  /** Ready only when its VM has been let go. */
  getVmSnapshot(ref: { namespace: string; name: string }): Promise<SeenVmSnapshot | null>
  /** What takes room for the snapshot with the uid, also where the snapshot itself is gone. */
  getVmSnapshotContent(ref: { namespace: string; uid: string }): Promise<SeenObject | null>
  getVmRestore(ref: { namespace: string; name: string }): Promise<SeenRestore | null>
}

export interface SeenService {
  uid: string
  version: string
  /** By which every node of the cluster leads to it; null where it has none. */
  nodePort: number | null
}

export interface ServiceReader {
  getService(ref: { namespace: string; name: string }): Promise<SeenService | null>
}

export interface SubnetReader {
  getSubnet(ref: { name: string }): Promise<SeenSubnet | null>
}

export interface HostReader {
  /**
   * This and the next are told by what sets up the hosts, where something does; they throw
   * `not_served` where nothing does.
   */
  getHostBridge(ref: { name: string }): Promise<(SeenObject & SeenHostBridge) | null>
  listHosts(): Promise<SeenHost[]>
  listHostSizes(): Promise<SeenHostSize[]>
}

export interface CapabilityReader {
  /** Looks at the whole cluster: some ten calls, so not for a request. */
  readCapabilities(): Promise<Capabilities>
}

/** The cluster as it is now. Every method asks the cluster; none answers from a cache. */
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
