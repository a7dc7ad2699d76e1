/*
 * Loaded into every measured process before its program (`--import`): tells what the process has
 * cost, and ends it when the bench is gone. The same numbers as /proc/<pid>/stat, but finer than 10
 * ms and on every system.
 */
import { question } from './channel.ts'

process.on('message', (message) => {
  if (message !== question.cost) return
  const { user, system } = process.cpuUsage()
  process.send?.({
    cost: { cpuUs: user + system, rssBytes: process.memoryUsage.rss(), heapBytes: heap() },
  })
})
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()

/** What is really needed, where the program was started with `--expose-gc`. */
function heap(): number {
  if (!globalThis.gc) return 0
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
