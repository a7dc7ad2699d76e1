interface Waiting {
  dueMs: number
  task: () => void
  timer: NodeJS.Timeout
}

let aheadMs = 0
const waiting = new Set<Waiting>()

const nowMs = (): number => Date.now() + aheadMs

function arm(dueMs: number, task: () => void): Waiting {
  const timer = setTimeout(() => run(entry), Math.max(0, dueMs - nowMs()))
  timer.unref()
  const entry: Waiting = { dueMs, task, timer }
  waiting.add(entry)
  return entry
}

function run(entry: Waiting): void {
  waiting.delete(entry)
  entry.task()
}

/** Asked for by each write. */
let written = { second: 0, text: '' }

function secondText(second: number): string {
  if (written.second !== second)
    written = { second, text: new Date(second * 1_000).toISOString().replace('.000Z', 'Z') }
  return written.text
}

/** The only place that reads the wall clock or arms timers, so that time can be run on command. */
export const clock = {
  nowMs,

  /** RFC 3339 with seconds, as the API writes times. */
  timestamp: (): string => secondText(Math.floor(nowMs() / 1_000)),

  /** RFC 3339 with microseconds, as events and leases have it. */
  microTimestamp: (): string => new Date(nowMs()).toISOString().replace('Z', '000Z'),

  /** Runs the task once, later; a pending timer never keeps the process alive. */
  after(delayMs: number, task: () => void): () => void {
    const entry = arm(nowMs() + delayMs, task)
    return () => {
      clearTimeout(entry.timer)
      waiting.delete(entry)
    }
  },

  /**
   * Lets time pass at once: what falls due in it runs now, in the order of its time, and whatever
   * that arms within it as well.
   */
  advance(ms: number): void {
    const untilMs = nowMs() + ms
    for (let next = earliest(untilMs); next; next = earliest(untilMs)) {
      clearTimeout(next.timer)
      aheadMs += Math.max(0, next.dueMs - nowMs())
      run(next)
    }
    aheadMs += Math.max(0, untilMs - nowMs())
    for (const entry of [...waiting]) rearm(entry)
  },
}

function earliest(untilMs: number): Waiting | undefined {
  const due = [...waiting].filter(({ dueMs }) => dueMs <= untilMs)
  return due.sort((a, b) => a.dueMs - b.dueMs)[0]
}

function rearm(entry: Waiting): void {
  clearTimeout(entry.timer)
  entry.timer = setTimeout(() => run(entry), Math.max(0, entry.dueMs - nowMs()))
  entry.timer.unref()
}
