import pg from 'pg'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sweepVmEvents } from '../../../server/src/store/vm/vm-event.ts'
import { platformOptions } from '../../support/engine/world.ts'
import { type Json } from '../../support/json.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { type SandboxFaults, sandboxFaults } from '../../support/sandbox/faults.ts'
import { VmLives } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
let lives: VmLives
let faults: SandboxFaults
beforeAll(async () => {
  world = await aWorld()
  faults = sandboxFaults(world.cluster)
  lives = await VmLives.in(world)
})
afterEach(async () => void (await faults.order('controllers/release', {})))

const asking = `query ($vmId: ID!, $first: Int, $after: String) { vmEvents(vmId: $vmId, first: $first, after: $after) {
  totalCount pageInfo { endCursor hasNextPage } nodes { id at code summary fromState toState explanation { code summary cause } } } }`
const read = async (
  vmId: string,
  page: Json = {},
  client: Client = lives.tenant.admin,
): Promise<Json> => (await client.ask(asking, { vmId, ...page })).vmEvents
/** Oldest first. */
const told = async (vmId: string): Promise<Json[]> =>
  (await read(vmId, { first: 100 })).nodes.toReversed()
const inState = (id: string, state: string): Promise<void> =>
  waitFor(async () => (await lives.row(id)).state === state, {
    timeoutMs: 20_000,
    what: `the VM to be ${state}`,
  })

/** What was told since. */
async function after(id: string, act: () => Promise<unknown>): Promise<Json[]> {
  const before = (await told(id)).length
  await act()
  return (await told(id)).slice(before)
}

const place = async (id: string): Promise<{ namespace: string; name: string }> => ({
  namespace: lives.namespace,
  name: (await lives.row(id)).name,
})

async function pathOf(id: string, group = 'kubevirt.io'): Promise<string> {
  const { namespace, name } = await place(id)
  return `/apis/${group}/v1/namespaces/${namespace}/virtualmachines/${name}`
}

describe('what happens to a VM', () => {
  test('is told once for each state that it comes to, from one to the next, as was asked', async () => {
    const id = await lives.ready()
    const made = await told(id)
    expect(made[0].fromState).toBe('Pending')
    expect(made.slice(1).map(({ fromState }) => fromState)).toEqual(
      made.slice(0, -1).map(({ toState }) => toState),
    )
    expect(made.map(({ code }) => code)).toEqual([...new Set(made.map(({ code }) => code))])
    expect(made.slice(-2).map(({ code }) => code)).toEqual(['starting', 'running'])
    expect(made.at(-1)).toMatchObject({
      summary: 'The VM is running.',
      toState: 'Running',
      explanation: null,
    })
    const stopped = await after(id, async () => {
      // A state that is over before anybody looks is not told, so it lasts until it was seen.
      await faults.order('controllers/hold', { controller: 'virtualmachine-controller' })
      const { operation } = await lives.ask('stop_vm', id)
      await inState(id, 'Stopping')
      await faults.order('controllers/release', {})
      await lives.end(operation.id)
    })
    expect(stopped.map(({ code }) => code)).toEqual(['stopping', 'stopped'])
    const paused = await after(id, async () => {
      await lives.end((await lives.ask('start_vm', id)).operation.id)
      await lives.end((await lives.ask('pause_vm', id)).operation.id)
    })
    expect(paused.slice(-2).map(({ code }) => code)).toEqual(['running', 'paused'])
  })

  test('is told page by page, newest first, also when it is gone, and to nobody else', async () => {
    const id = await lives.ready()
    const rival = await world.tenant()
    await lives.ask('delete_vm', id)
    await lives.ended('delete_vm', id)
    const whole = await read(id)
    expect(whole.nodes[0].code).toBe('deleting')
    expect(whole.totalCount).toBe(whole.nodes.length)
    const pages: Json[] = []
    for (
      let page = await read(id, { first: 2 });
      ;
      page = await read(id, { first: 2, after: page.pageInfo.endCursor })
    ) {
      pages.push(...page.nodes)
      if (!page.pageInfo.hasNextPage) break
    }
    expect(pages).toEqual(whole.nodes)
    for (const foreign of [await read(id, {}, rival.admin), await read('no id')])
      expect(foreign).toEqual({
        totalCount: 0,
        nodes: [],
        pageInfo: { endCursor: null, hasNextPage: false },
      })
  })
})

describe('what nobody asked for', () => {
  test('is told as what it was: a guest that shuts itself down', async () => {
    const id = await lives.ready()
    const seen = await after(id, async () => {
      await faults.order('guest', { ...(await place(id)), act: 'poweroff' })
      await inState(id, 'Stopped')
    })
    expect(seen.filter(({ code }) => code !== 'stopped').map(({ code }) => code)).toEqual([
      'shut_down',
    ])
    expect(seen[0].fromState).toBe('Running')
  })

  test('a guest that crashes, and comes back', async () => {
    const id = await lives.ready()
    const seen = await after(id, async () => {
      await faults.order('controllers/hold', { controller: 'virtualmachine-controller' })
      await faults.order('guest', { ...(await place(id)), act: 'crash' })
      await waitFor(async () => (await lives.row(id)).state !== 'Running', {
        what: 'the crash to be seen',
      })
      await faults.order('controllers/release', {})
      await inState(id, 'Running')
    })
    expect(seen[0]).toMatchObject({ code: 'crashed', fromState: 'Running' })
    expect(seen.at(-1)).toMatchObject({ code: 'running' })
  })

  test('a stop by somebody who goes around this platform', async () => {
    const id = await lives.ready()
    const seen = await after(id, async () => {
      await faults.order('controllers/hold', { controller: 'virt-handler' })
      await world.cluster.call(`${await pathOf(id, 'subresources.kubevirt.io')}/stop`, {
        method: 'PUT',
        body: {},
      })
      await inState(id, 'Stopping')
      await faults.order('controllers/release', {})
      await inState(id, 'Stopped')
    })
    expect(seen.map(({ code }) => code)).toEqual(['stopped_outside', 'stopped'])
  })

  test('a removal by somebody who does', async () => {
    const id = await lives.ready()
    const seen = await after(id, async () => {
      await world.cluster.call(await pathOf(id), { method: 'DELETE' })
      await inState(id, 'Lost')
    })
    expect(seen.at(-1)).toMatchObject({ code: 'lost', explanation: { code: 'lost' } })
    if (seen.length > 1)
      expect(seen[0]).toMatchObject({ code: 'deleting', explanation: { code: 'deleted_outside' } })
  })
})

test('a lost host is told with what there is to say of it, and so is that the VM comes back on another', async () => {
  const id = await lives.ready()
  const { nodeName } = (await lives.instance(id)).status
  const seen = await after(id, async () => {
    await faults.order('nodes/kill', { name: nodeName })
    await inState(id, 'Unknown')
    await faults.order('clock/advance', { ms: 301_000 })
    await inState(id, 'Running')
  })
  await faults.order('nodes/revive', { name: nodeName })
  expect(seen[0]).toMatchObject({
    code: 'unknown',
    fromState: 'Running',
    explanation: { code: 'host_lost' },
  })
  expect(seen[1].code).toBe('restarted')
  expect(seen.at(-1).toState).toBe('Running')
  expect(JSON.stringify(seen)).not.toContain(nodeName)
})

test('the same seen again is told once, by whoever looks', async () => {
  const id = await lives.ready()
  const before = await read(id)
  await world.database.sql(`update vm set seen_version = null where id = '${id}'`)
  await anotherReplica(world, { worker: true })
  await waitFor(async () => (await lives.row(id)).seen_version !== null, {
    timeoutMs: 20_000,
    what: 'another look',
  })
  expect(await read(id)).toEqual(before)
})

describe('what is kept', () => {
  const older = (id: string, count: number): Promise<unknown> =>
    world.database.sql(`insert into vm_event (id, tenant_id, vm_id, at, code, from_state, to_state)
      select gen_random_uuid(), tenant_id, id, now() - n * interval '1 day', 'running', 'Starting', 'Running' from vm, generate_series(1, ${count}) n where id = '${id}'`)

  test('is what is not too old, and the rest goes in batches', async () => {
    const id = await lives.ready()
    const young = (await read(id)).totalCount
    await older(id, 5)
    const pool = new pg.Pool({
      connectionString: world.database.url,
      options: platformOptions,
      max: 1,
    })
    const sweep = (): Promise<number> =>
      sweepVmEvents(pool, { olderThanMs: 2.5 * 86_400_000, batch: 2 })
    const gone = [await sweep(), await sweep()]
    await pool.end()
    expect(gone).toEqual([2, 1])
    expect((await read(id)).totalCount).toBe(young + 2)
  })

  test('is the newest two hundred of a VM', async () => {
    const id = await lives.ready()
    await older(id, 205)
    const made = await told(id)
    await lives.end((await lives.ask('stop_vm', id)).operation.id)
    const { totalCount, nodes } = await read(id, { first: 4 })
    expect([totalCount, nodes[0].code]).toEqual([200, 'stopped'])
    expect(made.map((event) => event.id)).toContain(nodes[3].id)
  })
})
