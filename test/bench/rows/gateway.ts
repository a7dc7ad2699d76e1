import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Child, startChild } from '../process/child.ts'
import type { FollowerRequest, FollowerResult } from '../cluster/follower.ts'
import type { EventsRequest, EventsSent } from '../cluster/server.ts'
import { type Bench, type Row } from '../row.ts'

const settleMs = 2_000

/**
 * A cluster of 10,000 VMs in 200 namespaces, each with a volume, an import and a snapshot. Measures
 * the time until all are listed, and the cost of following changes.
 */
export const gateway: Bench = {
  name: 'gateway',
  async run({ folder, options }) {
    const program = (name: string): string =>
      join(import.meta.dirname, '..', 'cluster', `${name}.ts`)
    await using server = await startChild({ program: program('server') })
    await using follower = await startChild({ program: program('follower') })
    const listed = await follower.ask<FollowerResult>({
      kubeconfig: await kubeconfigOf(server, folder),
    } satisfies FollowerRequest)
    // The streams open after the lists.
    await pause(settleMs)
    const seconds = options.quick ? 3 : 10
    const before = await follower.cost()
    const [sent, followed] = await Promise.all([
      server.ask<EventsSent>({ perSecond: 200, seconds } satisfies EventsRequest),
      follower.ask<FollowerResult>({ events: 200 * seconds } satisfies FollowerRequest),
    ])
    const cpuMs = ((await follower.cost()).cpuUs - before.cpuUs) / 1000 / sent.count
    if (followed.received < sent.count)
      throw new Error(`${followed.received} of ${sent.count} events arrived`)
    const behindS = Math.max(0, followed.atMs - sent.lastAtMs) / 1000
    const rows: Row[] = [
      {
        name: 'gateway: time to list all kinds',
        berth: {},
        value: listed.tookMs / 1000,
        unit: 's',
        target: { atMost: 15 },
      },
      {
        name: 'gateway: peak RSS',
        berth: {},
        value: followed.peakRssMb,
        unit: 'MB',
        target: { atMost: 500 },
      },
      {
        name: 'gateway: lag at 200 events/s',
        berth: { cpuMs, perSecond: sent.count / seconds },
        value: behindS,
        unit: 's',
        target: { atMost: 1 },
      },
    ]
    return rows
  },
}

/** Writes a kubeconfig for the server, whose `ready.url` carries its certificate authority. */
async function kubeconfigOf({ ready }: Child, folder: string): Promise<string> {
  const path = join(folder, 'gateway-kubeconfig.json')
  const cluster = {
    server: `https://127.0.0.1:${ready.port}`,
    'certificate-authority-data': Buffer.from(ready.url).toString('base64'),
  }
  await writeFile(
    path,
    JSON.stringify({ clusters: [{ cluster }], users: [{ user: { token: 'bench' } }] }),
  )
  return path
}
