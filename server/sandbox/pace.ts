/** How long steps take that nobody computes, in milliseconds from and to: a cluster in which everything happens at once hides races. */
const delays = {
  /** From an event until a controller looks at it. */
  reaction: [5, 40],
  /** From an error until a controller tries again, the first time. */
  retry: [100, 200],
  /** From a VM that could not be held for its snapshot until the next try. */
  snapshotRetry: [5_000, 5_000],
} satisfies Record<string, readonly [fromMs: number, toMs: number]>

export type Step = keyof typeof delays

export interface Pace {
  /** How long the step takes this time. */
  msOf(step: Step): number
}

/** All delays times the factor: 1 is realistic, less is for impatient tests. */
export const paceOf = (factor: number): Pace => ({
  msOf(step) {
    const [fromMs, toMs] = delays[step]
    return (fromMs + Math.random() * (toMs - fromMs)) * factor
  },
})
