import { setTimeout as pause } from 'node:timers/promises'

interface WaitLimits {
  timeoutMs?: number
  everyMs?: number
  /** The awaited condition, for the failure message. A function can include the current state. */
  what?: string | (() => string)
}

// The deadlines of tests are right for an idle computer. This factor leaves time on a busy one,
// because a deadline only ends a wait that would never succeed.
const patience = 4

/** Resolves when the condition holds, and throws when the deadline passes first. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  limits: WaitLimits = {},
): Promise<void> {
  const { timeoutMs = 5000, everyMs = 15, what = 'the condition' } = limits
  const deadline = performance.now() + timeoutMs * patience
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(
        `waited ${timeoutMs * patience} ms for ${typeof what === 'string' ? what : what()}`,
      )
    await pause(everyMs)
  }
}
