import { type StayReason } from '../nic/cold.ts'

/*
 * The observed state of a VM. Values that KubeVirt may extend (`printableStatus`, `phase`, reasons)
 * stay text here. Only the code that derives a state knows their values, and unknown ones become
 * `Unknown`. Texts in `message` come from the cluster: they select explanations and help operators,
 * but tenants never see them.
 */
export interface SeenVm {
  namespace: string
  name: string
  uid: string
  version: string
  /**
   * The resource version of the VMI; null when there is none. Together with `version` it detects
   * any change.
   */
  instanceVersion: string | null
  /** The tenant in its label; null when Berth does not own the object. */
  tenantId: string | null
  rowId: string | null
  isDeleting: boolean
  /** KubeVirt's one-word status; null until KubeVirt has first processed the VM. */
  printableStatus: string | null
  /** The run strategy in the spec of the VM. */
  runStrategy: string | null
  /**
   * The run strategy that KubeVirt last applied. It differs from `runStrategy` while a change is
   * pending, and is null before the first start.
   */
  followedRunStrategy: string | null
  /** Queued start and stop requests; a restart is one of each. */
  queued: readonly ('start' | 'stop')[]
  /** True when a VMI exists or is about to be created. */
  created: boolean
  ready: boolean
  startFailures: { count: number; retryAfter: string | null } | null
  conditions: {
    /** The cluster refused to create the VMI. */
    failure: SeenReason | null
    /** A change takes effect only at the next start. */
    restartRequired: SeenReason | null
    /** A disk copy was interrupted, and an operator has to decide. */
    manualRecovery: SeenReason | null
  }
  instance: SeenInstance | null
  /** The disks on volumes. The disks of a healthy VM are not read and not listed. */
  disks: readonly SeenDisk[]
  /** The obstacles of the launcher pod; null when they were not read. */
  launcher: SeenLauncher | null
}

export interface SeenReason {
  reason: string | null
  message: string | null
  since: string | null
}

/** True when the VMI has ended for good. */
export const isOver = (phase: string | null): boolean => phase === 'Succeeded' || phase === 'Failed'

/** A VMI: one run of the VM, from power on to power off. */
export interface SeenInstance {
  uid: string
  /** The phase; null until the cluster reports one. */
  phase: string | null
  isDeleting: boolean
  /** The time that the guest has to shut down; 0 after a forced stop. */
  graceSeconds: number | null
  /** The name of the node, which tenants never see. */
  node: string | null
  /** True when the node does not answer, so that the state of the guest is unknown. */
  nodeLost: boolean
  startedAt: string | null
  /** When the phase began. */
  since: string | null
  paused: SeenReason | null
  agentConnected: boolean
  /** True when the VMI can be live-migrated; null while that is unknown. */
  liveMigratable: boolean | null
  /** The obstacle to live migration; null when none is known. */
  stays: StayReason | null
  isMigrating: boolean
  notReady: SeenReason | null
  notSynchronized: SeenReason | null
  unscheduled: SeenReason | null
  /** The addresses of the NICs, including NICs that are still being attached. */
  addresses: readonly SeenAddress[]
  /** True while NICs are being attached or detached. */
  nicsPending: boolean
  guestOs: string | null
}

export interface SeenAddress {
  /** The NIC's name in the VM spec. Interfaces that the guest created have none and are omitted. */
  name: string
  /** The address; null until the guest agent or the network reports it. */
  ip: string | null
  mac: string | null
  /** False when only the pod has the NIC: it is being attached or detached. */
  inGuest: boolean
}

export type SeenDiskState =
  'ready' | 'missing' | 'waiting' | 'filling' | 'failing' | 'failed' | 'unknown'

export interface SeenDisk {
  /** The name of the disk in the VM spec. */
  name: string
  volume: string
  state: SeenDiskState
  /** Per cent of the import, while the disk is filled. */
  progress: number | null
  /** The number of restarts of the importer. */
  restarts: number
  trouble: SeenReason | null
}

export interface SeenLauncher {
  unscheduled: SeenReason | null
  /** An image that cannot be pulled, or a container that cannot be created. */
  waiting: SeenReason | null
}
