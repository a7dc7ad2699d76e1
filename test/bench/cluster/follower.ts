/* The gateway alone in a process: it follows every kind that there is and counts what it hears. */
import { setTimeout as pause } from 'node:timers/promises'
import { connectCluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { listedNouns } from '../../../server/src/cluster/reader.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { answering } from '../process/channel.ts'

/** Follow from the beginning, or tell when so many events were heard since. */
export type FollowerAsked = { kubeconfig: string } | { events: number }

export interface FollowerSeen {
  tookMs: number
  heard: number
  atMs: number
  peakRssMb: number
}

const nouns = ['namespace', ...listedNouns] as const
const patienceMs = 55_000
let heard = 0

async function until(condition: () => boolean): Promise<void> {
  const late = AbortSignal.timeout(patienceMs)
  while (!condition() && !late.aborted) await pause(2)
}

async function follow(kubeconfig: string): Promise<void> {
  const cluster = connectCluster(
    { kind: 'sandbox', kubeconfig },
    { clock: systemClock, log: createLog('silent') },
  )
  const watches = nouns.map((noun) => cluster.watch(noun, () => (heard += 1)))
  await until(() => watches.every((watch) => watch.isSynced()))
  if (!watches.every((watch) => watch.isSynced()))
    throw new Error(`only ${watches.filter((watch) => watch.isSynced()).length} kinds were listed`)
}

answering<FollowerAsked>({ port: 0, url: '' }, async (asked): Promise<FollowerSeen> => {
  const startedMs = performance.now()
  const before = heard
  if ('kubeconfig' in asked) await follow(asked.kubeconfig)
  else await until(() => heard - before >= asked.events)
  const peakRssMb = process.resourceUsage().maxRSS / 1024
  return {
    tookMs: performance.now() - startedMs,
    heard: heard - before,
    atMs: Date.now(),
    peakRssMb,
  }
})
