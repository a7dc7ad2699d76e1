import { systemClock } from '../runtime/clock.ts'

const behindMs = 300
const queued: (() => Promise<unknown>)[] = []
let isUsed = false

/**
 * Loads code that no page waits for, when the user begins to use the page. So it is there before it
 * is needed, even if Berth is unreachable by then. A failed load is retried when the code is
 * needed.
 */
export function prefetchOnUse(load: () => Promise<unknown>) {
  if (isUsed) fetchBehind([load])
  else queued.push(load)
}

/** Waits a moment, so that the user's own request goes first. */
function fetchBehind(loads: readonly (() => Promise<unknown>)[]) {
  systemClock.after(behindMs, () => loads.forEach((load) => void load().catch(() => null)))
}

function begin() {
  if (isUsed) return
  isUsed = true
  fetchBehind(queued.splice(0))
}

/**
 * Starts to watch for the first use. It is not called on the login page, so that the first page
 * after the login loads sooner.
 */
export function watchFirstUse() {
  for (const event of ['pointermove', 'pointerdown', 'keydown'])
    addEventListener(event, begin, { once: true, passive: true })
}
