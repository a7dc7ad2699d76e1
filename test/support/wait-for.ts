import { setTimeout as pause } from 'node:timers/promises'

interface WaitLimits {
  timeoutMs?: number
  /** The first pause between two looks. Later pauses grow with the wait. */
  everyMs?: number
  /** The awaited condition, for the failure message. A function can include the current state. */
  what?: string | (() => string)
  /** The state of the awaited work. The deadline counts from the last time that it changed. */
  progress?: () => string
}

// The deadlines of tests are right for an idle computer. This factor leaves time on a busy one,
// because a deadline only ends a wait that would never succeed.
const patience = 4

// A look costs a request or a query. A long wait looks less often, and ends at most this share of
// its time too late.
const pauseShare = 0.1
const longestPauseMs = 100

/** Resolves when the condition holds, and throws when the deadline passes first. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs = 5000, everyMs = 15, what, progress = () => '' }: WaitLimits = {},
): Promise<void> {
  let began = performance.now()
  let reached = progress()
  while (!(await condition())) {
    const now = progress()
    if (now !== reached) [reached, began] = [now, performance.now()]
    const waitedMs = performance.now() - began
    if (waitedMs > timeoutMs * patience) throw late(timeoutMs, what)
    await pause(Math.max(everyMs, Math.min(waitedMs * pauseShare, longestPauseMs)))
  }
}

function late(timeoutMs: number, what: WaitLimits['what'] = 'the condition'): Error {
  const text = typeof what === 'string' ? what : what()
  return new Error(`waited ${timeoutMs * patience} ms for ${text}`)
}
