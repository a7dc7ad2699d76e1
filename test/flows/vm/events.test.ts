import pg from 'pg'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inAppRole } from '../../../server/src/engine/database/app-role.ts'
import { sweepVmEvents } from '../../../server/src/store/vm/vm-event.ts'
import { platformOptions } from '../../support/engine/world.ts'
import { type Json } from '../../support/json.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { type SandboxFaults, sandboxFaults } from '../../support/sandbox/faults.ts'
import { VmScenarios } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
let vms: VmScenarios
let faults: SandboxFaults
beforeAll(async () => {
  world = await aWorld()
  faults = sandboxFaults(world.cluster)
  vms = await VmScenarios.in(world)
})
afterEach(async () => void (await faults.inject('controllers/release', {})))

const asking = `query ($vmId: ID!, $first: Int, $after: String) { vmEvents(vmId: $vmId, first: $first, after: $after) {
  totalCount pageInfo { endCursor hasNextPage } nodes { id at code summary fromState toState explanation { code summary cause } } } }`
const read = async (
  vmId: string,
  page: Json = {},
  client: Client = vms.tenant.admin,
): Promise<Json> => (await client.ask(asking, { vmId, ...page })).vmEvents
/** Returns the events of a VM, oldest first. */
const eventsOf = async (vmId: string): Promise<Json[]> =>
  (await read(vmId, { first: 100 })).nodes.toReversed()
const inState = (id: string, state: string): Promise<void> =>
  waitFor(async () => (await vms.row(id)).state === state, {
    timeoutMs: 20_000,
    what: `the VM to be ${state}`,
  })

/** Returns the events that `act` adds. */
async function after(id: string, act: () => Promise<unknown>): Promise<Json[]> {
  const before = (await eventsOf(id)).length
  await act()
  return (await eventsOf(id)).slice(before)
}

const referenceOf = async (id: string): Promise<{ namespace: string; name: string }> => ({
  namespace: vms.namespace,
  name: (await vms.row(id)).name,
})

async function pathOf(id: string, group = 'kubevirt.io'): Promise<string> {
  const { namespace, name } = await referenceOf(id)
  return `/apis/${group}/v1/namespaces/${namespace}/virtualmachines/${name}`
}

describe('events of requested changes', () => {
  test('a VM has one event for each state that it enters, in order', async () => {
    const id = await vms.ready()
    const made = await eventsOf(id)
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
      // The hold makes the short state last until a worker has observed it.
      await faults.inject('controllers/hold', { controller: 'virtualmachine-controller' })
      const { operation } = await vms.ask('stop_vm', id)
      await inState(id, 'Stopping')
      await faults.inject('controllers/release', {})
      await vms.end(operation.id)
    })
    expect(stopped.map(({ code }) => code)).toEqual(['stopping', 'stopped'])
    const paused = await after(id, async () => {
      await vms.end((await vms.ask('start_vm', id)).operation.id)
      await vms.end((await vms.ask('pause_vm', id)).operation.id)
    })
    expect(paused.slice(-2).map(({ code }) => code)).toEqual(['running', 'paused'])
  })

  test('events are listed page by page, newest first, also for a deleted VM, in its tenant only', async () => {
    const id = await vms.ready()
    const rival = await world.tenant()
    await vms.ask('delete_vm', id)
    await vms.ended('delete_vm', id)
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

describe('events without a request', () => {
  test('a guest that shuts itself down leaves the event `shut_down`', async () => {
    const id = await vms.ready()
    const events = await after(id, async () => {
      await faults.inject('guest', { ...(await referenceOf(id)), act: 'poweroff' })
      await inState(id, 'Stopped')
    })
    expect(events.filter(({ code }) => code !== 'stopped').map(({ code }) => code)).toEqual([
      'shut_down',
    ])
    expect(events[0].fromState).toBe('Running')
  })

  test('a guest that crashes leaves the event `crashed` and then `running`', async () => {
    const id = await vms.ready()
    const events = await after(id, async () => {
      await faults.inject('controllers/hold', { controller: 'virtualmachine-controller' })
      await faults.inject('guest', { ...(await referenceOf(id)), act: 'crash' })
      await waitFor(async () => (await vms.row(id)).state !== 'Running', {
        what: 'the crash to be observed',
      })
      await faults.inject('controllers/release', {})
      await inState(id, 'Running')
    })
    expect(events[0]).toMatchObject({ code: 'crashed', fromState: 'Running' })
    expect(events.at(-1)).toMatchObject({ code: 'running' })
  })

  test('a stop through the cluster’s API leaves the event `stopped_outside`', async () => {
    const id = await vms.ready()
    const events = await after(id, async () => {
      await faults.inject('controllers/hold', { controller: 'virt-handler' })
      await world.cluster.call(`${await pathOf(id, 'subresources.kubevirt.io')}/stop`, {
        method: 'PUT',
        body: {},
      })
      await inState(id, 'Stopping')
      await faults.inject('controllers/release', {})
      await inState(id, 'Stopped')
    })
    expect(events.map(({ code }) => code)).toEqual(['stopped_outside', 'stopped'])
  })

  test('a deletion through the cluster’s API leaves the event `lost`', async () => {
    const id = await vms.ready()
    const events = await after(id, async () => {
      await world.cluster.call(await pathOf(id), { method: 'DELETE' })
      await inState(id, 'Lost')
    })
    expect(events.at(-1)).toMatchObject({ code: 'lost', explanation: { code: 'lost' } })
    if (events.length > 1)
      expect(events[0]).toMatchObject({
        code: 'deleting',
        explanation: { code: 'deleted_outside' },
      })
  })
})

test('a lost node leaves an event with an explanation, and the restart elsewhere leaves another', async () => {
  const id = await vms.ready()
  const { nodeName } = (await vms.vmi(id)).status
  const events = await after(id, async () => {
    await faults.inject('nodes/kill', { name: nodeName })
    await inState(id, 'Unknown')
    await faults.inject('clock/advance', { ms: 301_000 })
    await inState(id, 'Running')
  })
  await faults.inject('nodes/revive', { name: nodeName })
  expect(events[0]).toMatchObject({
    code: 'unknown',
    fromState: 'Running',
    explanation: { code: 'host_lost' },
  })
  // A worker that looks in between sees the old VMI end first.
  expect(['restarted', 'restarting']).toContain(events[1].code)
  expect(events.at(-1).toState).toBe('Running')
  expect(JSON.stringify(events)).not.toContain(nodeName)
})

test('a state that is observed twice leaves one event', async () => {
  const id = await vms.ready()
  const before = await read(id)
  await world.database.sql(`update vm set observed_version = null where id = '${id}'`)
  await anotherReplica(world, { worker: true })
  await waitFor(async () => (await vms.row(id)).observed_version !== null, {
    timeoutMs: 20_000,
    what: 'the next observation',
  })
  expect(await read(id)).toEqual(before)
})

describe('retention of events', () => {
  /** Adds one event per interval, backwards from now. */
  const older = (id: string, count: number, interval: string): Promise<unknown> =>
    world.database.sql(`insert into vm_event (id, tenant_id, vm_id, at, code, from_state, to_state)
      select gen_random_uuid(), tenant_id, id, now() - n * interval '${interval}', 'running', 'Starting', 'Running' from vm, generate_series(1, ${count}) n where id = '${id}'`)

  test('old events are deleted in batches, and younger ones stay', async () => {
    const id = await vms.ready()
    const young = (await read(id)).totalCount
    await older(id, 5, '1 day')
    const pool = new pg.Pool({
      connectionString: world.database.url,
      options: platformOptions,
      ...inAppRole,
      max: 1,
    })
    const sweep = (): Promise<number> =>
      sweepVmEvents(pool, { olderThanMs: 2.5 * 86_400_000, batch: 2 })
    const gone = [await sweep(), await sweep()]
    await pool.end()
    expect(gone).toEqual([2, 1])
    expect((await read(id)).totalCount).toBe(young + 2)
  })

  test('a VM keeps its newest two hundred events', async () => {
    const id = await vms.ready()
    // Younger than the retention, whose sweep may run at any time.
    await older(id, 205, '1 minute')
    const made = await eventsOf(id)
    await vms.end((await vms.ask('stop_vm', id)).operation.id)
    const { totalCount, nodes } = await read(id, { first: 4 })
    expect([totalCount, nodes[0].code]).toEqual([200, 'stopped'])
    expect(made.map((event) => event.id)).toContain(nodes[3].id)
  })
})
