/* The gateway alone in a process. It watches every kind and counts the events that it receives. */
import { setTimeout as pause } from 'node:timers/promises'
import { connectCluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { listedNouns } from '../../../server/src/cluster/reader.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { serveRequests } from '../process/channel.ts'

/** Either starts to watch a cluster, or waits until so many further events have arrived. */
export type FollowerRequest = { kubeconfig: string } | { events: number }

export interface FollowerResult {
  tookMs: number
  received: number
  atMs: number
  peakRssMb: number
}

const nouns = ['namespace', ...listedNouns] as const
const timeoutMs = 55_000
let received = 0

async function until(condition: () => boolean): Promise<void> {
  const late = AbortSignal.timeout(timeoutMs)
  while (!condition() && !late.aborted) await pause(2)
}

async function follow(kubeconfig: string): Promise<void> {
  const cluster = connectCluster(
    { kind: 'sandbox', kubeconfig },
    { clock: systemClock, log: createLog('silent') },
  )
  const watches = nouns.map((noun) => cluster.watch(noun, () => (received += 1)))
  await until(() => watches.every((watch) => watch.isSynced()))
  if (!watches.every((watch) => watch.isSynced()))
    throw new Error(`only ${watches.filter((watch) => watch.isSynced()).length} kinds were listed`)
}

serveRequests<FollowerRequest>({ port: 0, url: '' }, async (request): Promise<FollowerResult> => {
  const startedMs = performance.now()
  const before = received
  if ('kubeconfig' in request) await follow(request.kubeconfig)
  else await until(() => received - before >= request.events)
  const peakRssMb = process.resourceUsage().maxRSS / 1024
  return {
    tookMs: performance.now() - startedMs,
    received: received - before,
    atMs: Date.now(),
    peakRssMb,
  }
})
