import { type StayReason } from '../nic/cold.ts'

/*
 * What was seen of a VM, in our words. A word that the cluster may extend (`printableStatus`,
 * `phase`, the reasons) stays text here: which of them we know is decided where a state is made of
 * it, and what we do not know is `Unknown` there. Texts of `message` are the cluster's; they are
 * for choosing an explanation and for operators, never for a tenant.
 */
export interface SeenVm {
  namespace: string
  name: string
  uid: string
  version: string
  /**
   * Of what runs; null while nothing does. Both versions together tell whether anything was news.
   */
  instanceVersion: string | null
  /** Null on an object that is not ours. */
  tenantId: string | null
  rowId: string | null
  isDeleting: boolean
  /** The cluster's one-word summary; null until it has looked at the VM for the first time. */
  printableStatus: string | null
  /** How the power was asked for in the cluster. */
  runStrategy: string | null
  /**
   * The one that the cluster has acted upon; behind `runStrategy` while a change waits, null before
   * the first start.
   */
  followedRunStrategy: string | null
  /** Stops and starts that were asked for and wait in line; a restart is one of each. */
  queued: readonly ('start' | 'stop')[]
  /** Something runs, or is about to. */
  created: boolean
  ready: boolean
  startFailures: { count: number; retryAfter: string | null } | null
  conditions: {
    /** The cluster refused to make what was asked. */
    failure: SeenReason | null
    /** Something was changed that takes effect with the next start only. */
    restartRequired: SeenReason | null
    /** A copy of a disk broke off halfway and somebody has to decide. */
    manualRecovery: SeenReason | null
  }
  instance: SeenInstance | null
  /**
   * Of disks that live in volumes, as far as it was looked: nothing is known of disks in a healthy
   * VM.
   */
  disks: readonly SeenDisk[]
  /** What holds back the start from within; null when it was not looked for. */
  launcher: SeenLauncher | null
}

export interface SeenReason {
  reason: string | null
  message: string | null
  since: string | null
}

/** Nothing of the run will ever run again, whatever else becomes of it. */
export const isOver = (phase: string | null): boolean => phase === 'Succeeded' || phase === 'Failed'

/** One run of the VM, from power on to power off. */
export interface SeenInstance {
  uid: string
  /** Null before the cluster says one. */
  phase: string | null
  isDeleting: boolean
  /** How long the guest may take to shut down; 0 once it was told to go at once. */
  graceSeconds: number | null
  /** The host's name is the platform's secret; tenants never see it. */
  node: string | null
  /** The host does not answer any more: whether the guest runs, nobody knows. */
  nodeLost: boolean
  startedAt: string | null
  /** Of the phase. */
  since: string | null
  paused: SeenReason | null
  agentConnected: boolean
  /** Null while it is not known. */
  liveMigratable: boolean | null
  /** What keeps it on its host; null where nothing is known to. */
  stays: StayReason | null
  isMigrating: boolean
  notReady: SeenReason | null
  notSynchronized: SeenReason | null
  unscheduled: SeenReason | null
  /** Also of NICs that it is to have and does not have yet. */
  addresses: readonly SeenAddress[]
  /** Some of them are to come, or to go, and have not. */
  nicsPending: boolean
  guestOs: string | null
}

export interface SeenAddress {
  /** The NIC's name as we wrote it. What the guest made for itself has none and is left out. */
  name: string
  /** Null until the guest or the network tells. */
  ip: string | null
  mac: string | null
  /** False of one that is only beside the guest: on its way into it, or out of it. */
  inGuest: boolean
}

export type SeenDiskState =
  'ready' | 'missing' | 'waiting' | 'filling' | 'failing' | 'failed' | 'unknown'

export interface SeenDisk {
  /** As the VM calls it. */
  name: string
  volume: string
  state: SeenDiskState
  /** Per cent, while it is filled. */
  progress: number | null
  /** How often filling it began anew. */
  restarts: number
  trouble: SeenReason | null
}

export interface SeenLauncher {
  unscheduled: SeenReason | null
  /** An image that cannot be fetched, or a container that cannot be made. */
  waiting: SeenReason | null
}
