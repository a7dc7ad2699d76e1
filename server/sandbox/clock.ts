/** The only place that reads the wall clock or arms timers, so that time can later be run on command. */
export const clock = {
  nowMs: (): number => Date.now(),

  /** RFC 3339 with seconds, as the API writes times. */
  timestamp: (): string => new Date(Date.now()).toISOString().replace(/\.\d+Z$/, 'Z'),

  /** Runs the task once, later; a pending timer never keeps the process alive. */
  after(delayMs: number, task: () => void): () => void {
    const timer = setTimeout(task, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
