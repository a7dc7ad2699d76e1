import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Child, startChild } from '../process/child.ts'
import type { FollowerAsked, FollowerSeen } from '../cluster/follower.ts'
import type { EventsAsked, EventsSent } from '../cluster/server.ts'
import { type Bench, type Row } from '../row.ts'

const settledWithinMs = 2_000

/**
 * A cluster of 10,000 VMs in 200 namespaces, each with its volume, import and snapshot: how long
 * until all is known, and what it costs to keep up.
 */
export const gateway: Bench = {
  name: 'gateway',
  async run({ folder, options }) {
    const program = (name: string): string =>
      join(import.meta.dirname, '..', 'cluster', `${name}.ts`)
    await using server = await startChild({ program: program('server') })
    await using follower = await startChild({ program: program('follower') })
    const listed = await follower.ask<FollowerSeen>({
      kubeconfig: await kubeconfigOf(server, folder),
    } satisfies FollowerAsked)
    // The streams open after the lists.
    await pause(settledWithinMs)
    const seconds = options.quick ? 3 : 10
    const before = await follower.cost()
    const [sent, seen] = await Promise.all([
      server.ask<EventsSent>({ perSecond: 200, seconds } satisfies EventsAsked),
      follower.ask<FollowerSeen>({ events: 200 * seconds } satisfies FollowerAsked),
    ])
    const cpuMs = ((await follower.cost()).cpuUs - before.cpuUs) / 1000 / sent.count
    if (seen.heard < sent.count) throw new Error(`${seen.heard} of ${sent.count} events arrived`)
    const behindS = Math.max(0, seen.atMs - sent.lastAtMs) / 1000
    const rows: Row[] = [
      {
        name: 'gateway: all kinds listed',
        berth: {},
        value: listed.tookMs / 1000,
        unit: 's',
        target: { atMost: 15 },
      },
      {
        name: 'gateway: RSS at most',
        berth: {},
        value: seen.peakRssMb,
        unit: 'MB',
        target: { atMost: 500 },
      },
      {
        name: 'gateway: behind 200 events/s',
        berth: { cpuMs, perSecond: sent.count / seconds },
        value: behindS,
        unit: 's',
        target: { atMost: 1 },
      },
    ]
    return rows
  },
}

/** The server tells its authority where others tell their address. */
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
