import { setTimeout as pause } from 'node:timers/promises'

interface Patience {
  timeoutMs?: number
  everyMs?: number
  /** What was waited for, for the one who reads the failure. */
  what?: string
}

/** Resolves when the condition holds; fails when the deadline passes first. */
export async function waitFor(condition: () => boolean | Promise<boolean>, patience: Patience = {}): Promise<void> {
  const { timeoutMs = 5000, everyMs = 15, what = 'the condition' } = patience
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`)
    await pause(everyMs)
  }
}
