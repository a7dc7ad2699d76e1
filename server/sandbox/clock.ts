interface PendingTask {
  dueMs: number
  task: () => void
  timer: NodeJS.Timeout
}

let aheadMs = 0
const pending = new Set<PendingTask>()

const nowMs = (): number => Date.now() + aheadMs

function arm(dueMs: number, task: () => void): PendingTask {
  const timer = setTimeout(() => run(entry), Math.max(0, dueMs - nowMs()))
  timer.unref()
  const entry: PendingTask = { dueMs, task, timer }
  pending.add(entry)
  return entry
}

function run(entry: PendingTask): void {
  pending.delete(entry)
  entry.task()
}

/** Every write needs the text of the current second, so the last one is cached. */
let cached = { second: 0, text: '' }

function secondText(second: number): string {
  if (cached.second !== second)
    cached = { second, text: new Date(second * 1_000).toISOString().replace('.000Z', 'Z') }
  return cached.text
}

/** The only module that reads the wall clock or arms timers, so that tests can advance time. */
export const clock = {
  nowMs,

  /** RFC 3339 with seconds: the format of times in the Kubernetes API. */
  timestamp: (): string => secondText(Math.floor(nowMs() / 1_000)),

  /** RFC 3339 with microseconds: the format of times in events and leases. */
  microTimestamp: (): string => new Date(nowMs()).toISOString().replace('Z', '000Z'),

  /** Runs the task once after the delay. A pending timer does not keep the process alive. */
  after(delayMs: number, task: () => void): () => void {
    const entry = arm(nowMs() + delayMs, task)
    return () => {
      clearTimeout(entry.timer)
      pending.delete(entry)
    }
  },

  /**
   * Advances time at once. Runs the tasks that fall due in order of their time, including tasks
   * that are armed on the way.
   */
  advance(ms: number): void {
    const untilMs = nowMs() + ms
    for (let next = earliest(untilMs); next; next = earliest(untilMs)) {
      clearTimeout(next.timer)
      aheadMs += Math.max(0, next.dueMs - nowMs())
      run(next)
    }
    aheadMs += Math.max(0, untilMs - nowMs())
    for (const entry of [...pending]) rearm(entry)
  },
}

function earliest(untilMs: number): PendingTask | undefined {
  const due = [...pending].filter(({ dueMs }) => dueMs <= untilMs)
  return due.sort((a, b) => a.dueMs - b.dueMs)[0]
}

function rearm(entry: PendingTask): void {
  clearTimeout(entry.timer)
  entry.timer = setTimeout(() => run(entry), Math.max(0, entry.dueMs - nowMs()))
  entry.timer.unref()
}
