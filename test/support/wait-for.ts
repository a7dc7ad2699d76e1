import { setTimeout as pause } from 'node:timers/promises'

interface Patience {
  timeoutMs?: number
  everyMs?: number
  /**
   * What was waited for, for the one who reads the failure; a function also tells what there was
   * instead.
   */
  what?: string | (() => string)
}

// The deadlines of tests say what a quiet machine needs. They only end what would never come, so
// that a busy one may take its time.
const patience = 4

/** Resolves when the condition holds; fails when the deadline passes first. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  limits: Patience = {},
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
