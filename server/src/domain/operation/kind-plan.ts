import { type Permission } from '../../engine/model/permission.ts'

export interface KindPlan {
  /**
   * How long until the promise counts as broken (written into the row; configuration may replace
   * it).
   */
  readonly deadlineMs: number
  readonly cancellable: boolean
  /** What whoever wants to cancel it must hold. */
  readonly permission: Permission
  /** In order; each name has a failpoint before and after. */
  readonly steps: readonly string[]
}

export const minutes = (count: number): number => count * 60_000
