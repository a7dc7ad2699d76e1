/**
 * The fixed part of each kind of operation: its deadline, its steps and the permission to cancel
 * it.
 */
export interface OperationPlan {
  /**
   * The time without progress after which the operation fails. It is written into the row; the
   * configuration may override it.
   */
  readonly deadlineMs: number
  readonly cancellable: boolean
  /** `domain/nouns.ts` checks that it exists. */
  readonly cancelPermission: `${string}:write`
  /** In order; each step has a failpoint before and after it. */
  readonly steps: readonly string[]
}

export const minutes = (count: number): number => count * 60_000
