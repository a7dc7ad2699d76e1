/*
 * Loaded into every measured process before its program (`--import`). It reports the cost of the
 * process and ends it when the bench is gone. The numbers are those of /proc/<pid>/stat, but finer
 * than 10 ms and available on every system.
 */
import { command } from './channel.ts'

process.on('message', (message) => {
  if (message !== command.cost) return
  const { user, system } = process.cpuUsage()
  process.send?.({
    cost: { cpuUs: user + system, rssBytes: process.memoryUsage.rss(), heapBytes: heap() },
  })
})
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()

/** Returns the used heap after a collection, when the program was started with `--expose-gc`. */
function heap(): number {
  if (!globalThis.gc) return 0
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
