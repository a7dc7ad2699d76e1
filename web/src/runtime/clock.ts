import { type Ref, onScopeDispose, readonly, ref } from 'vue'

/** The only door to time, so that what waits can be tested without waiting. */
export interface Clock {
  now(): number
  /** Runs once after the delay; the answer calls it off. */
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
let callOff: (() => void) | null = null

function tick() {
  now.value = systemClock.now()
  callOff = systemClock.after(1000, tick)
}

/** The time, one tick a second, shared by everything on the page that shows a relative time. */
export function useNow(): Readonly<Ref<number>> {
  watchers += 1
  if (watchers === 1) tick()
  onScopeDispose(() => {
    watchers -= 1
    if (watchers === 0) callOff?.()
  })
  return readonly(now)
}
