import pg from 'pg'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inAppRole } from '../../../server/src/engine/database/app-role.ts'
import { type NodeReader } from '../../../server/src/cluster/reader.ts'
import { clusterCapacityTask } from '../../../server/src/compose/cluster-capacity.ts'
import { type Stoppable } from '../../../server/src/runtime/clock.ts'
import { openLeadership } from '../../../server/src/engine/reconcile/leadership.ts'
import { platformOptions, quiet } from '../../support/engine/world.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let other: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  ;[tenant, other] = [await world.tenant(), await world.tenant()]
})

const query =
  '{ clusterCapacity { hosts { total ready open cores memoryMi vcpusPerCore } gap asOf promised { vms vcpus memoryMi } warnings } }'
const shown = async (client: Client = world.root): Promise<Json> =>
  (await client.ask(query)).clusterCapacity
const become = (what: string, isSo: (capacity: Json) => boolean): Promise<void> =>
  waitFor(async () => isSo(await shown()), { timeoutMs: 10_000, everyMs: 50, what })

describe('the capacity of the cluster', () => {
  test('the capacity is known soon after the start, and root sees the same in every tenant', async () => {
    await become('the nodes to be known', ({ hosts }) => hosts !== null)
    const whole = await shown()
    expect(whole).toEqual({
      hosts: {
        total: 3,
        ready: 3,
        open: 3,
        cores: 384,
        memoryMi: expect.any(Number),
        vcpusPerCore: 10,
      },
      gap: null,
      asOf: null,
      promised: { vms: 0, vcpus: 0, memoryMi: 0 },
      warnings: [],
    })
    expect(whole.hosts.memoryMi).toBeGreaterThan(3 * 500_000)
    expect(await shown(world.root.with({ 'x-tenant-id': tenant.id }))).toEqual(whole)
  })

  test('the capacity is forbidden for users of a tenant', async () => {
    const people = [tenant.admin, await tenant.as('operator'), await tenant.as('viewer')]
    for (const person of people) {
      const { code, data } = await person.graphql(query)
      expect({ code, data }).toEqual({ code: 'forbidden', data: null })
    }
    expect((await world.anonymous.graphql(query)).code).toBe('unauthenticated')
  })

  test('the allocation counts VMs of all tenants from their request until they are off', async () => {
    const [one, two] = [await vmActions(tenant.admin), await vmActions(other.admin)]
    const before = (await shown()).promised
    const small = await one.create({ cpu: 1, memoryMi: 512 })
    expect((await shown()).promised).toMatchObject({
      vms: before.vms + 1,
      memoryMi: before.memoryMi + 512,
    })
    await one.inState(small.id, 'Running')
    const large = await two.running({ cpu: 4, memoryMi: 2048 })
    const first = { vms: before.vms + 1, vcpus: before.vcpus + 1, memoryMi: before.memoryMi + 512 }
    const both = { vms: before.vms + 2, vcpus: before.vcpus + 5, memoryMi: before.memoryMi + 2560 }
    expect((await shown()).promised).toEqual(both)
    expect((await shown(world.root.with({ 'x-tenant-id': tenant.id }))).promised).toEqual(both)

    await two.ask('stopVm', large.id)
    await two.inState(large.id, 'Stopped')
    expect((await shown()).promised).toEqual(first)
    await two.ask('startVm', large.id)
    await two.inState(large.id, 'Running')
    expect((await shown()).promised).toEqual(both)
    // The guest powers itself off without a request, and the VM no longer uses a node.
    await sandboxFaults(world.cluster).inject('guest', {
      namespace: other.namespace,
      name: large.name,
      act: 'poweroff',
    })
    await two.inState(large.id, 'Stopped')
    expect((await shown()).promised).toEqual(first)
    await Promise.all([one.ask('deleteVm', small.id), two.ask('deleteVm', large.id)])
    await become('the allocation to be released', ({ promised }) => promised.vms === before.vms)
    expect((await shown()).promised).toEqual(before)
  })
})

describe('frequent reads by the leader', () => {
  let pool: pg.Pool
  let hosts: NodeReader
  let reads = 0
  let task: Stoppable
  const gateways: ReturnType<typeof gatewayTo>[] = []
  const readerFor = (token: string): NodeReader => {
    const gateway = gatewayTo({ ...world.cluster, token })
    gateways.push(gateway)
    return gateway.reader
  }
  beforeAll(async () => {
    pool = new pg.Pool({
      connectionString: world.database.url,
      options: platformOptions,
      max: 4,
      ...inAppRole,
    })
    hosts = readerFor(world.cluster.token)
    const lease = { leadership: openLeadership({ pool }), holder: 'test', ...quiet }
    const counted = {
      listNodeSizes: () => {
        reads += 1
        return hosts.listNodeSizes()
      },
    }
    // The leader of the world reads once a minute, so its lease is ended here.
    await world.database.sql(
      `update leadership set expires_at = clock_timestamp() where name = 'cluster capacity'`,
    )
    task = clusterCapacityTask(lease, {
      nodes: counted,
      capabilities: { current: () => null },
      everyMs: 50,
    })
    await nextReads()
    return async () => {
      await task.stop()
      await Promise.all(gateways.map((gateway) => gateway.close()))
      await pool.end()
    }
  })
  afterEach(async () => {
    hosts = readerFor(world.cluster.token)
    await sandboxFaults(world.cluster).inject('requests/clear', {})
    await become(
      'all nodes to be schedulable again',
      (capacity) => capacity.hosts?.open === 3 && capacity.asOf === null,
    )
  })

  const nextReads = async (times = 1): Promise<void> => {
    const until = reads + times
    await waitFor(() => reads >= until, { timeoutMs: 20_000, what: 'the leader to read the nodes' })
  }
  const cordon = (host: string, unschedulable: boolean) =>
    world.cluster.call(`/api/v1/nodes/${host}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { unschedulable } }),
    })

  test('a cordoned node is not counted, and a warning is shown when no node is left', async () => {
    const { memoryMi } = (await shown()).hosts
    await cordon('node-1', true)
    await become('one node to be cordoned', (capacity) => capacity.hosts.open === 2)
    expect((await shown()).hosts).toMatchObject({
      total: 3,
      ready: 3,
      cores: 256,
      memoryMi: (memoryMi / 3) * 2,
    })
    for (const host of ['node-0', 'node-2']) await cordon(host, true)
    await become('all nodes to be cordoned', (capacity) => capacity.hosts.open === 0)
    expect(await shown()).toMatchObject({
      hosts: { total: 3, ready: 3, cores: 0, memoryMi: 0 },
      warnings: ['no_open_host'],
    })
    for (const host of ['node-0', 'node-1', 'node-2']) await cordon(host, false)
  })

  test('a lost node is not counted until it is back', async () => {
    await sandboxFaults(world.cluster).inject('nodes/kill', { name: 'node-2' })
    await become('one node to be lost', (capacity) => capacity.hosts.ready === 2)
    expect((await shown()).hosts).toMatchObject({ total: 3, open: 2, cores: 256 })
    await sandboxFaults(world.cluster).inject('nodes/revive', { name: 'node-2' })
  })

  test('a read without changes writes nothing', async () => {
    const rows = () => world.database.sql('select xmin::text, ctid::text from cluster_capacity')
    const [before] = await rows()
    expect(before).toBeDefined()
    await nextReads(5)
    expect(await rows()).toEqual([before])
  })

  test('the capacity reports `not_permitted` when the nodes cannot be listed', async () => {
    const accounts = `/api/v1/namespaces/${tenant.namespace}/serviceaccounts`
    await world.cluster.call(accounts, {
      method: 'POST',
      body: { metadata: { name: 'without-rights' } },
    })
    const { text } = await world.cluster.call(`${accounts}/without-rights/token`, {
      method: 'POST',
      body: { spec: {} },
    })
    hosts = readerFor(JSON.parse(text).status.token)
    await become('the gap to be reported', ({ gap }) => gap === 'not_permitted')
    expect(await shown()).toMatchObject({
      hosts: null,
      asOf: null,
      promised: { vms: 0 },
      warnings: [],
    })
  })

  test('the last known capacity stays with its time when the cluster does not answer', async () => {
    const known = (await shown()).hosts
    await sandboxFaults(world.cluster).inject('requests', {
      path: '/api/v1/nodes',
      times: 10_000,
      fault: { do: 'drop', when: 'before' },
    })
    await become('the cluster to be silent', ({ asOf }) => asOf !== null)
    const silent = await shown()
    expect(silent.hosts).toEqual(known)
    expect(Date.now() - Date.parse(silent.asOf)).toBeLessThan(60_000)
    await nextReads(3)
    expect((await shown()).asOf, 'the time of the last answer stays').toBe(silent.asOf)
  })

  test('the capacity ages when no leader reads it', async () => {
    const lapse = `update leadership set expires_at = clock_timestamp() - interval '2 minutes' where name = 'cluster capacity'
      returning to_char(expires_at, 'YYYY-MM-DD"T"HH24:MI:SS') as at`
    // The running leader may renew its lease between the two statements.
    const isMissed = async (): Promise<boolean> => {
      const [lapsed] = await world.database.sql(lapse)
      return String((await shown()).asOf).includes(String(lapsed?.['at']))
    }
    await waitFor(isMissed, { what: 'the capacity to age' })
  })
})
