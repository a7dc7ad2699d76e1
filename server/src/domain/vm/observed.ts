import { type MigrationObstacle } from '../nic/wait-reasons.ts'

/*
 * The observed state of a VM. Values that KubeVirt may extend (`printableStatus`, `phase`, reasons)
 * stay text here. Only the code that derives a state knows their values, and unknown ones become
 * `Unknown`. Texts in `message` come from the cluster: they select explanations and help operators,
 * but tenants never see them.
 */
export interface ObservedVm {
  namespace: string
  name: string
  uid: string
  version: string
  /** Counts the changes of the spec; null when the cluster does not report it. */
  generation: number | null
  /**
   * The resource version of the VMI; null when there is none. Together with `version` it detects
   * any change.
   */
  vmiVersion: string | null
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
    failure: ObservedReason | null
    /** A change takes effect only at the next start. */
    restartRequired: ObservedReason | null
    /** A disk copy was interrupted, and an operator has to decide. */
    manualRecovery: ObservedReason | null
  }
  vmi: ObservedVmi | null
  /** The disks on volumes. The disks of a healthy VM are not read and not listed. */
  disks: readonly ObservedDisk[]
  /** The obstacles of the launcher pod; null when they were not read. */
  launcher: ObservedLauncher | null
}

export interface ObservedReason {
  reason: string | null
  message: string | null
  since: string | null
}

/** True when the VMI has ended for good. */
export const isOver = (phase: string | null): boolean => phase === 'Succeeded' || phase === 'Failed'

/** A VMI: one run of the VM, from power on to power off. */
export interface ObservedVmi {
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
  paused: ObservedReason | null
  agentConnected: boolean
  /** True when the VMI can be live-migrated; null while that is unknown. */
  liveMigratable: boolean | null
  /** The obstacle to live migration; null when none is known. */
  migrationObstacle: MigrationObstacle | null
  isMigrating: boolean
  notReady: ObservedReason | null
  notSynchronized: ObservedReason | null
  unscheduled: ObservedReason | null
  /** The addresses of the NICs, including NICs that are still being attached. */
  addresses: readonly ObservedAddress[]
  /** True while NICs are being attached or detached. */
  nicsPending: boolean
  guestOs: string | null
}

export interface ObservedAddress {
  /** The NIC's name in the VM spec. Interfaces that the guest created have none and are omitted. */
  name: string
  /** The address; null until the guest agent or the network reports it. */
  ip: string | null
  mac: string | null
  /** False when only the pod has the NIC: it is being attached or detached. */
  inGuest: boolean
  /** The addresses that the guest has; absent while no guest agent reports the NIC. */
  agentIps?: readonly string[]
}

export type ObservedDiskState =
  'ready' | 'missing' | 'waiting' | 'filling' | 'failing' | 'failed' | 'unknown'

export interface ObservedDisk {
  /** The name of the disk in the VM spec. */
  name: string
  volume: string
  state: ObservedDiskState
  /** Per cent of the import, while the disk is filled. */
  progress: number | null
  /** The number of restarts of the importer. */
  restarts: number
  trouble: ObservedReason | null
}

export interface ObservedLauncher {
  unscheduled: ObservedReason | null
  /** An image that cannot be pulled, or a container that cannot be created. */
  waiting: ObservedReason | null
}
