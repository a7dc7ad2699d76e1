import { systemClock } from '../runtime/clock.ts'

const behindMs = 300
const wanted: (() => Promise<unknown>)[] = []
let isUsed = false

/**
 * Fetches what no page waits for when somebody begins to use the page, so that it is there before
 * it is wanted, also when Berth cannot be reached by then. What does not come is asked for again by
 * whoever wants it.
 */
export function fetchSoon(load: () => Promise<unknown>) {
  if (isUsed) fetchBehind([load])
  else wanted.push(load)
}

/** After what the user has just asked for. */
function fetchBehind(loads: readonly (() => Promise<unknown>)[]) {
  systemClock.after(behindMs, () => loads.forEach((load) => void load().catch(() => null)))
}

function begin() {
  if (isUsed) return
  isUsed = true
  fetchBehind(wanted.splice(0))
}

/**
 * From when on there is a page to use: who logs in has not begun to, and is to see the first page
 * soon.
 */
export function followUse() {
  for (const event of ['pointermove', 'pointerdown', 'keydown'])
    addEventListener(event, begin, { once: true, passive: true })
}
