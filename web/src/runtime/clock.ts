import { type Ref, onScopeDispose, readonly, ref } from 'vue'

/** All access to time goes through a clock, so that tests need not wait. */
export interface Clock {
  now(): number
  /** Runs `run` once after the delay. Returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

const now = ref(systemClock.now())
let watchers = 0
let cancelTimer: (() => void) | null = null

function tick() {
  now.value = systemClock.now()
  cancelTimer = systemClock.after(1000, tick)
}

/** Returns the current time. It ticks once a second and is shared by all relative times. */
export function useNow(): Readonly<Ref<number>> {
  watchers += 1
  if (watchers === 1) tick()
  onScopeDispose(() => {
    watchers -= 1
    if (watchers === 0) cancelTimer?.()
  })
  return readonly(now)
}
