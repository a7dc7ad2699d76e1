import { beforeAll, describe, expect, test } from 'vitest'
import { type FaultCode } from '../../../server/src/engine/model/fault.ts'
import { seededRandom } from '../../support/random.ts'
import { brokenRows, brokenRules } from '../../support/world/invariants.ts'
import { type Json } from '../../support/json.ts'
import { networkActions } from '../../support/actions/network-actions.ts'
import {
  type NetworkClient,
  type NetworkAnswer,
  networkClients,
} from '../../support/clients/network-clients.ts'
import { NetworkLedger, type ExpectedObject } from '../../support/actions/network-ledger.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client, Wire } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { testSeed } from '../../support/seed.ts'

/*
 * Tests I-12 to I-18 with concurrent writers: 32 writers use REST and GraphQL of two replicas, each
 * with a worker. The invariants are checked on the rows while they write, and on rows and cluster
 * when all have finished.
 */
const writers = 32
const pool = ['203.0.113.10', '203.0.113.11', '203.0.113.12', '203.0.113.13']

let world: World
let wire: Wire
let tenants: [WorldTenant, WorldTenant]
let templateId: string
beforeAll(async () => {
  world = await aWorld({
    config: ({ platform: { networking }, network }) => {
      networking.public = {
        enabled: true,
        bridge: { name: 'br-wan' },
        mode: 'bridge',
        uplink: null,
        cidr: '203.0.113.0/24',
        dns: [],
        ipPool: [{ first: '203.0.113.10', last: '203.0.113.13' }],
      }
      network.addressRestSeconds = 2
    },
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenants = [await world.tenant(), await world.tenant()]
  const { url } = await anotherReplica(world, { worker: true })
  wire = new Wire(() => url)
  // A replica that has just started refuses networks until its cluster has reported its
  // capabilities.
  const first =
    networkClients([wire.client((await world.tenant()).admin.token)])[0] ?? expect.unreachable()
  const isReady = async (): Promise<boolean> =>
    (await first.createVpc({ name: unique('first') })).code !== 'cluster_unavailable'
  await waitFor(isReady, { what: 'the other replica to know its cluster' })
  const { vmTemplates } = await tenants[0].admin.ask(
    '{ vmTemplates(filter: { search: "cirros" }) { nodes { id } } }',
  )
  templateId = vmTemplates.nodes[0].id
  return () => wire.close()
})

/** Returns clients of both interfaces of both replicas, as the tenant's administrator. */
const clientsOf = ({ admin }: { admin: Client }): NetworkClient[] =>
  networkClients([admin, wire.client(admin.token)])

/** Runs all writers at the same time, each through another client than its neighbour. */
async function atOnce(
  tenant: WorldTenant,
  ask: (client: NetworkClient, index: number) => Promise<NetworkAnswer>,
): Promise<NetworkAnswer[]> {
  const clients = clientsOf(tenant)
  return Promise.all(
    Array.from({ length: writers }, (_, index) =>
      ask(clients[index % clients.length] ?? expect.unreachable(), index),
    ),
  )
}

const refusalsOf = (answers: readonly NetworkAnswer[]): FaultCode[] =>
  answers.flatMap(({ code }) => code ?? [])
const won = (answers: readonly NetworkAnswer[]): Json[] =>
  answers.flatMap(({ code, made }): Json[] => (code === null ? [made] : []))
const refused = (code: FaultCode, times: number): FaultCode[] =>
  Array.from({ length: times }, () => code)

describe('32 concurrent writers through both interfaces of two replicas', () => {
  test('one writer gets the addresses of a VPC, and each tenant has its own', async () => {
    // Each CIDR lies in all larger ones.
    const input = (index: number) => ({
      name: unique('race'),
      cidr: `10.96.0.0/${12 + (index % 13)}`,
    })
    const both = await Promise.all(
      tenants.map((tenant) => atOnce(tenant, (client, index) => client.createVpc(input(index)))),
    )
    for (const answers of both)
      expect([won(answers).length, refusalsOf(answers)]).toEqual([
        1,
        refused('cidr_overlap', writers - 1),
      ])
  })

  test('one writer gets the addresses of a network, one its name, and all writers without a CIDR get one', async () => {
    const { vpc } = await networkActions(() => ({ world, tenant: tenants[0] })).aVpc({
      cidr: '10.64.0.0/16',
    })
    const make = (i: (index: number) => Json) =>
      atOnce(tenants[0], (client, index) => client.createNetwork({ vpcId: vpc.id, ...i(index) }))
    const overlapping = await make((index) => ({
      name: unique('race'),
      cidr: `10.64.128.0/${18 + (index % 11)}`,
    }))
    expect([won(overlapping).length, refusalsOf(overlapping)]).toEqual([
      1,
      refused('cidr_overlap', writers - 1),
    ])
    const named = await make(() => ({ name: 'Same', prefix: 28 }))
    expect([won(named).length, refusalsOf(named)]).toEqual([
      1,
      refused('already_exists', writers - 1),
    ])
    const planned = await make(() => ({ name: unique('race'), prefix: 28 }))
    expect(new Set(won(planned).map(({ cidr }) => cidr)).size).toBe(writers)
  })

  test('writers get exactly as many addresses as the network and the public pool have', async () => {
    const { vpc, defaultNetwork } = await networkActions(() => ({
      world,
      tenant: tenants[0],
    })).aVpc({
      cidr: '10.80.0.0/16',
    })
    const small = (
      await clientsOf(tenants[0])[0]?.createNetwork({ name: 'small', vpcId: vpc.id, prefix: 28 })
    )?.made
    const make = (i: Json) =>
      atOnce(tenants[0], (client) =>
        client.createVm({ name: unique('vm'), templateId, networkIds: [], start: false, ...i }),
      )
    const inNetwork = await make({ networkIds: [defaultNetwork.id, small.id] })
    expect(refusalsOf(inNetwork)).toEqual(refused('addresses_exhausted', writers - 13))
    expect(new Set(won(inNetwork).map(({ nics }) => nics[2].address)).size).toBe(13)
    const inPublic = await make({ publicIp: true })
    expect(refusalsOf(inPublic)).toEqual(refused('addresses_exhausted', writers - pool.length))
    const shown = await world.database.sql(
      `select host(address) as address from nic where kind = 'public' and free_at is null order by 1`,
    )
    expect(shown.map(({ address }) => address)).toEqual(pool)
    const [clients, vms] = [clientsOf(tenants[0]), [...won(inNetwork), ...won(inPublic)]]
    await Promise.all(
      vms.map((vm, index) =>
        (clients[index % clients.length] ?? expect.unreachable()).deleteVm(vm),
      ),
    )
    await atRest()
  })

  test('writers create exactly as many networks as the quota allows', async () => {
    const [{ id }] = tenants
    const update = `mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { quota { resource limit used } } } }`
    const limited = async (networks: number | null): Promise<Json> =>
      (await world.root.ask(update, { i: { id, networks } })).updateTenantQuota.tenant.quota.find(
        ({ resource }: Json) => resource === 'networks',
      )
    const { vpc } = await networkActions(() => ({ world, tenant: tenants[0] })).aVpc({
      cidr: '10.48.0.0/16',
    })
    const { used } = await limited(1_000)
    await limited(used + 5)
    const answers = await atOnce(tenants[0], (client) =>
      client.createNetwork({ name: unique('n'), vpcId: vpc.id, prefix: 28 }),
    )
    expect(await limited(null)).toMatchObject({ used: used + 5 })
    expect(refusalsOf(answers)).toEqual(refused('quota_exceeded', writers - 5))
  })
})

/** Waits until all operations have ended, and expects that the invariants hold. */
async function atRest(): Promise<void> {
  let open = ''
  const read = async (): Promise<string> => {
    const rows: Json[] = await world.database.sql(
      `select kind, target_name as name, jsonb_path_query_first(steps, '$[*] ? (@.state != "done").name') as step
         from operation where finished_at is null order by 1, 2`,
    )
    return rows.map(({ kind, name, step }) => `${kind} ${name} at ${step}`).join(', ')
  }
  await waitFor(async () => (open = await read()) === '', {
    timeoutMs: 15_000,
    everyMs: 100,
    what: () => `all operations to end: ${open}`,
    progress: () => open,
  })
  let broken: string[] = []
  await waitFor(async () => (broken = await brokenRules(world)).length === 0, {
    everyMs: 100,
    what: 'the rules to hold',
  }).catch(() => undefined)
  expect(broken).toEqual([])
}

test('concurrent creates, attaches, detaches and deletes keep all invariants and end as reported to the clients', async () => {
  const ledgers = tenants.map((tenant) => new NetworkLedger(clientsOf(tenant), templateId))
  for (const ledger of ledgers) await ledger.begin()
  await atRest()
  let isOver = false
  const watched = (async () => {
    const brokenSoFar = new Set<string>()
    for (; !isOver; await new Promise((done) => setImmediate(done)))
      for (const broken of await brokenRows(world)) brokenSoFar.add(broken)
    return [...brokenSoFar]
  })()
  const write = async (index: number): Promise<void> => {
    const random = seededRandom(testSeed + index * 7_919)
    for (let act = 0; act < 8; act++) await ledgers[index % 2]?.act(random, index)
  }
  await Promise.all(Array.from({ length: writers }, (_, index) => write(index))).finally(
    () => (isOver = true),
  )
  expect(await watched, 'broken on the way').toEqual([])
  expect(ledgers.flatMap(({ surprises }) => surprises)).toEqual([])
  // A writer that is only refused does not compete with other writers.
  for (const { done } of ledgers)
    expect([...done]).toEqual(
      expect.arrayContaining(['createVpc', 'createNetwork', 'createVm', 'attachNetwork']),
    )
  await atRest()
  for (const [index, ledger] of ledgers.entries())
    await mustMatchLedger(ledger, tenants[index] ?? expect.unreachable())
  await mustNotShareSegments()
}, 300_000)

const shownBy: Readonly<Record<ExpectedObject['kind'], string>> = {
  vpc: 'query ($id: ID!) { found: vpc(id: $id) { name cidr } }',
  network: 'query ($id: ID!) { found: network(id: $id) { name cidr } }',
  vm: 'query ($id: ID!) { found: vm(id: $id) { name nics { address networkId } } }',
}

/**
 * Expects that acknowledged objects exist as reported, that deleted ones are gone, and that no
 * operation failed unless it was cancelled.
 */
async function mustMatchLedger(ledger: NetworkLedger, { id, admin }: WorldTenant): Promise<void> {
  const other = wire.client(admin.token)
  for (const { kind, isGone, nics, ...reported } of ledger.expected()) {
    const { found } = await other.ask(shownBy[kind], { id: reported.id })
    if (isGone) expect(found, `${kind} ${reported.name}`).toBeNull()
    else if (kind === 'vm')
      expect(found).toEqual({ name: reported.name, nics: expect.arrayContaining(nics) })
    else expect(found).toEqual({ name: reported.name, cidr: reported.cidr })
  }
  const failed = await world.database.sql(
    `select kind, target_name, fault_code, fault_detail from operation
      where tenant_id = '${id}' and state = 'failed' and fault_code is distinct from 'cancelled'`,
  )
  expect(failed).toEqual([])
}

/**
 * Expects that no two networks of the cluster share a segment, and that each VM has the NICs of its
 * row.
 */
async function mustNotShareSegments(): Promise<void> {
  const ownLabels = `?labelSelector=${encodeURIComponent('berth.dev/managed-by=berth')}`
  const attachments: Json[] = (
    await world.cluster.call(`/apis/k8s.cni.cncf.io/v1/network-attachment-definitions${ownLabels}`)
  ).body.items
  const segments = attachments
    .map(({ spec }: Json) => JSON.parse(spec.config))
    .map(({ bridge, vlan }: Json) => `${bridge} ${vlan}`)
  expect(new Set(segments).size).toBe(segments.length)
  const vmObjects: Json[] = (
    await world.cluster.call(`/apis/kubevirt.io/v1/virtualmachines${ownLabels}`)
  ).body.items
  const rows = await world.database.sql(
    `select vm_id as id, text(mac) as mac from nic where free_at is null and leave_requested_at is null`,
  )
  for (const { metadata, spec } of vmObjects) {
    const macs = spec.template.spec.domain.devices.interfaces.map(
      ({ macAddress }: Json) => macAddress,
    )
    const expectedMacs = rows
      .filter(({ id }) => id === metadata.labels['berth.dev/row-id'])
      .map(({ mac }) => mac)
    expect(macs.toSorted(), metadata.name).toEqual(expectedMacs.toSorted())
  }
}
