/**
 * Minimum and maximum duration of each step that the sandbox simulates, in milliseconds. A cluster
 * in which everything happens at once would hide races.
 */
const delays = {
  /** Time from an event until a controller handles it. */
  reaction: [5, 40],
  /** Time from a write until an informer cache contains it. */
  watch: [0, 60],
  /** Time between two writes of one reconcile. */
  write: [2, 10],
  /** Time from an error to the first retry of a controller. */
  retry: [100, 200],
  /** Time from scheduling a pod until its containers run. */
  podStart: [300, 1_200],
  /** Time from a running pod until its guest runs. */
  guestStart: [500, 1_500],
  /** Time from the end of the boot until the guest agent answers. */
  agentStart: [500, 2_500],
  /** Time until the guest has a hotplugged volume, and until it has released an unplugged one. */
  hotplug: [100, 400],
  /** Time until the guest has a hotplugged NIC, and until it has released an unplugged one. */
  nicHotplug: [100, 400],
  /**
   * Time that a cluster with dynamic networks may take to plug or unplug a NIC. After that KubeVirt
   * migrates the VMI instead.
   */
  dynamicNetworks: [15_000, 15_000],
  /** Phases of a migration: preparing the target, starting the copy, copying. */
  migrationPrepare: [100, 400],
  migrationStart: [300, 900],
  migrationCopy: [800, 2_500],
  /** Time from the request to abort a migration until the copy has ended. */
  migrationAbort: [300, 700],
  /** Time from a failed evacuation to the next attempt. */
  migrateAgain: [20_000, 20_000],
  /** Time that a guest needs for a graceful shutdown. */
  guestStop: [500, 2_000],
  /** Time from the first console line of a guest to its login prompt. */
  guestBoot: [1_500, 2_500],
  /** Time that a guest needs to power itself off. */
  guestDown: [200, 500],
  /** Time from the end of the guest until its pod has ended. */
  podStop: [100, 400],
  /** Time to the next attempt after a VM could not be frozen for its snapshot. */
  snapshotRetry: [5_000, 5_000],
  /** Time from the loss of a node until its pods are evicted. */
  nodeEviction: [300_000, 300_000],
  /** Time from a failed start of a guest to the first retry. */
  startAgain: [10_000, 15_000],
  /** Time from the end of a worker pod until CDI hands over the volume that the pod filled. */
  handOver: [20, 40],
  /** Time from the hand-over until the DataVolume reports that it is bound. */
  tellBinding: [400, 800],
  /** Time that the CSI driver needs to provision a volume. */
  provision: [200, 500],
  /** Time from a failure of the CSI driver to its next attempt. */
  provisionAgain: [2_000, 5_000],
  /** Time from the release of a volume until it is deleted. */
  reclaim: [400, 700],
  /** Time from the deletion of a volume until the CSI driver has erased it. */
  erase: [400, 700],
  /** Interval in which the controller checks all claims again. */
  claimResync: [10_000, 15_000],
  /** Time that the CSI driver needs to expand a volume. */
  resize: [100, 300],
  /** Time that each step of the snapshot controller takes. */
  snapshotStep: [300, 600],
  /** Time from the failure of a container to its first restart. */
  crashBackOff: [2_000, 2_500],
  /**
   * Time from the deletion of a namespace's pods until the controller checks the rest of the
   * namespace.
   */
  namespaceRetry: [5_000, 5_000],
  /** Interval in which the controller recalculates a quota. */
  quotaResync: [300_000, 300_000],
  /** Time until a node has applied a network configuration policy. */
  nodeSetup: [1_000, 4_000],
  /** Interval in which CDI reads the progress of a worker pod. */
  progress: [1_000, 2_000],
} satisfies Record<string, readonly [fromMs: number, toMs: number]>

export type Step = keyof typeof delays

/** The delays of the simulated steps, which tests can change while the sandbox runs. */
export interface Pace {
  /** Returns a random duration of the step. */
  msOf(step: Step): number
  /** Sets the factor of the named steps, or of all steps when none is named. */
  setFactor(factor: number, only?: readonly Step[]): void
}

/** Multiplies all delays by the factor. 1 is realistic; tests use less. */
export function paceOf(initial: number): Pace {
  let factor = initial
  const own = new Map<Step, number>()
  return {
    msOf(step) {
      const [fromMs, toMs] = delays[step]
      return (fromMs + Math.random() * (toMs - fromMs)) * (own.get(step) ?? factor)
    },
    setFactor(next, only) {
      for (const step of only ?? []) own.set(step, next)
      if (only) return
      own.clear()
      factor = next
    },
  }
}
