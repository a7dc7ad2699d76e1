import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { changeChannel } from '../../../server/src/engine/model/channel.ts'
import { apiKeyText } from '../../../server/src/domain/identity/api-key.ts'
import { startChild } from '../process/child.ts'
import { percentile } from '../numbers.ts'
import { type Bench } from '../row.ts'
import type { ReceivedEvent } from '../load/subscribers.ts'
import { vmsOf } from './vm-lists.ts'
import { type World } from '../product/world.ts'

/** Measures from just before a VM changes until each event socket has the whole VM. */
export const eventSockets: Bench = {
  name: 'event sockets',
  async run(world) {
    const [count, events] = world.options.quick ? [200, 10] : [1_000, 40]
    await vmsOf(world, { count: 10_000, tenants: 20 })
    const { port, child } = await world.berth()
    const listeners = world.own(
      await startChild({ program: join(import.meta.dirname, '..', 'load', 'subscribers.ts') }),
    )
    const keys = await keysOf(world, count / socketsPerUser)
    await listeners.ask({ listen: await listeners.ask<number>({ open: { port, count, keys } }) })
    const latenciesMs: number[] = []
    const before = await child.cost()
    for (let event = 0; event < events; event += 1) {
      await listeners.ask({ expect: count })
      const from = process.hrtime.bigint()
      await change(world, event)
      const { at } = await listeners.ask<ReceivedEvent>({ collect: true })
      latenciesMs.push(...at.map((each) => Number(BigInt(each) - from) / 1e6))
    }
    const cpuMs = ((await child.cost()).cpuUs - before.cpuUs) / 1_000 / events
    latenciesMs.sort((a, b) => a - b)
    const [p50Ms, p99Ms] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)]
    return [
      {
        name: `event sockets: from commit to frame, ${count} sockets, p99`,
        berth: { p50Ms, p99Ms, cpuMs },
        value: p99Ms,
        unit: 'ms',
        target: { atMost: 250 },
      },
    ]
  },
}

const socketsPerUser = 10
const tenants = 5
/** One VM of each tenant, as `vmsOf` distributes them, so that each socket receives one event. */
const firstOfEach = Array.from({ length: tenants }, (_, index) => `vm-00110${index + 1}`)

/** Creates the users and returns their API keys, spread over the tenants. */
async function keysOf(world: World, users: number): Promise<string[]> {
  const keys = Array.from({ length: users }, (_, index) =>
    apiKeyText(String(index).padStart(8, '0'), randomBytes(24).toString('hex')),
  )
  await (
    await world.sql()
  ).query(
    `with made as (
       insert into user_account (id, tenant_id, username, role_id)
       select gen_random_uuid(), tenant.id, 'listener-' || n, (select id from role where name = 'tenant.viewer' and tenant_id is null)
         from generate_series(0, $1::int - 1) n join tenant on slug = 'bench-' || (n % $2 + 1)
       returning id, tenant_id, split_part(username, '-', 2)::int as n)
     insert into api_key (id, tenant_id, user_id, name, prefix, secret_hash)
     select gen_random_uuid(), tenant_id, id, 'bench', lpad(n::text, 8, '0'), sha256(convert_to(($3::text[])[n + 1], 'utf8')) from made`,
    [users, tenants, keys],
  )
  return keys
}

/** Changes the VMs like their reconciler: row, change log and doorbell in one commit. */
const changing = `
with changed as (update vm set guest_os = $1 where name = any($2) returning id, tenant_id, version),
  recorded as (insert into change_log (tenant_id, kind, object_id, version) select tenant_id, 'vm', id, version from changed)
select pg_notify('${changeChannel}', '')`

const change = async (world: World, event: number): Promise<unknown> =>
  (await world.sql()).query(changing, [`Linux ${event}`, firstOfEach])
