/**
 * How long steps take that nobody computes, in milliseconds from and to: a cluster in which
 * everything happens at once hides races.
 */
const delays = {
  /** From an event until a controller looks at it. */
  reaction: [5, 40],
  /** From a write until a cache that a watch feeds holds it. */
  watch: [0, 60],
  /** From a write until the next one of the same look. */
  write: [2, 10],
  /** From an error until a controller tries again, the first time. */
  retry: [100, 200],
  /** From a pod on its node until its containers run. */
  podStart: [300, 1_200],
  /** From a pod that runs until its guest does. */
  guestStart: [500, 1_500],
  /** From a guest that has booted until its agent answers. */
  agentStart: [500, 2_500],
  /** From a volume beside a guest until the guest has it, and back. */
  hotplug: [100, 400],
  /** The same for a NIC that is beside a guest. */
  nicHotplug: [100, 400],
  /**
   * How long a NIC may come and go without a move, where somebody can do that, before the guest is
   * moved for it.
   */
  dynamicNetworks: [15_000, 15_000],
  /**
   * From a target that is handed over until it is prepared, from there until the copy begins, and
   * how long that takes.
   */
  migrationPrepare: [100, 400],
  migrationStart: [300, 900],
  migrationCopy: [800, 2_500],
  /** From an order to leave it until a copy has ended. */
  migrationAbort: [300, 700],
  /** From a failed migration that the cluster wanted until the next one may start. */
  migrateAgain: [20_000, 20_000],
  /** How long a guest takes to go down when asked. */
  guestStop: [500, 2_000],
  /** From the first line of a guest until it asks for a name. */
  guestBoot: [1_500, 2_500],
  /** From a guest's own decision until it is down. */
  guestDown: [200, 500],
  /** From the end of its guest until a pod has ended. */
  podStop: [100, 400],
  /** From a VM that could not be held for its snapshot until the next try. */
  snapshotRetry: [5_000, 5_000],
  /** From the loss of a node until its pods are given up. */
  nodeEviction: [300_000, 300_000],
  /** From a guest that did not come up until the next try, the first time. */
  startAgain: [10_000, 15_000],
  /** From the end of a worker until the volume that it filled is handed on. */
  handOver: [20, 40],
  /** From there until its data volume says that it is bound. */
  tellBinding: [400, 800],
  /** A driver makes a volume. */
  provision: [200, 500],
  /** From a driver's failure until it tries again. */
  provisionAgain: [2_000, 5_000],
  /** From a volume's release until it is deleted. */
  reclaim: [400, 700],
  /** From its deletion until its driver has erased it. */
  erase: [400, 700],
  /** Until all claims are looked at again. */
  claimResync: [10_000, 15_000],
  /** A driver makes a volume larger. */
  resize: [100, 300],
  /** A snapshot controller takes its turn. */
  snapshotStep: [300, 600],
  /** From a container that failed until its next try, the first time. */
  crashBackOff: [2_000, 2_500],
  /** From the deletion of a namespace's pods until the rest of it is looked at. */
  namespaceRetry: [5_000, 5_000],
  /** Until a quota is counted again. */
  quotaResync: [300_000, 300_000],
  /** From a policy about the network of hosts until they are as it says. */
  hostSetup: [1_000, 4_000],
  /** How often somebody asks a worker for its progress. */
  progress: [1_000, 2_000],
} satisfies Record<string, readonly [fromMs: number, toMs: number]>

export type Step = keyof typeof delays

export interface Pace {
  /** How long the step takes this time. */
  msOf(step: Step): number
  /** Of the steps that are named, or of all. */
  setFactor(factor: number, only?: readonly Step[]): void
}

/** All delays times the factor: 1 is realistic, less is for impatient tests. */
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
