export interface KindPlan {
  /**
   * How long until the promise counts as broken (written into the row; configuration may replace
   * it).
   */
  readonly deadlineMs: number
  readonly cancellable: boolean
  /** The permission to cancel it; `domain/nouns.ts` checks that there is such a permission. */
  readonly permission: `${string}:write`
  /** In order; each name has a failpoint before and after. */
  readonly steps: readonly string[]
}

export const minutes = (count: number): number => count * 60_000
