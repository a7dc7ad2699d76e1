import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { networkActs, networkDocuments } from '../../support/actions/network-actions.ts'
import { NicActs } from '../../support/actions/nic-actions.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { Wire } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let acts: NicActs
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).order('pace', { factor: 0.05 })
  tenant = await world.tenant()
  acts = await NicActs.in({ world, tenant })
})

const rested = (networkId: string): Promise<unknown> =>
  world.database.sql(
    `update nic set free_at = now() - interval '1 second' where network_id = '${networkId}' and free_at is not null`,
  )
const addressesIn = async (networkId: string): Promise<Json[]> =>
  world.database.sql(
    `select host(address) as address, mac, free_at is not null as leaving from nic where network_id = '${networkId}' order by 1`,
  )

describe('a VM in private networks', () => {
  test('has a NIC in each, in the order that was asked for, behind that on the platform’s own', async () => {
    const [one, other] = [
      await acts.network({}, { cidr: '10.20.0.0/16' }),
      await acts.network({}, { cidr: '10.30.0.0/16' }),
    ]
    const vm = await acts.running({ networkIds: [other.id, one.id] })
    expect(vm.nics).toMatchObject([
      {
        name: 'nic0',
        kind: 'pod',
        state: 'waiting',
        mac: vm.mac,
        address: null,
        isPrimary: true,
        network: null,
      },
      {
        name: 'nic1',
        kind: 'private',
        state: 'waiting',
        address: '10.30.1.2',
        networkId: other.id,
        network: { id: other.id, cidr: other.cidr },
      },
      {
        name: 'nic2',
        kind: 'private',
        address: '10.20.1.2',
        gateway: one.gateway,
        isPrimary: false,
        network: { name: one.name },
      },
    ])
    const { domain, networks } = await acts.machine(vm)
    expect(domain.devices.interfaces).toEqual([
      expect.objectContaining({ name: 'nic0', macAddress: vm.nics[0].mac, masquerade: {} }),
      expect.objectContaining({ name: 'nic1', macAddress: vm.nics[1].mac, bridge: {} }),
      expect.objectContaining({ name: 'nic2', macAddress: vm.nics[2].mac, bridge: {} }),
    ])
    const named = ({ attachmentNamespace, attachmentName }: Json): string =>
      `${attachmentNamespace}/${attachmentName}`
    expect(networks).toEqual([
      { name: 'nic0', pod: {} },
      { name: 'nic1', multus: { networkName: named(other) } },
      { name: 'nic2', multus: { networkName: named(one) } },
    ])
    // The guest has set itself up as it was told, and its agent says so.
    expect(await acts.connected(vm.id, 'nic1')).toMatchObject({
      state: 'connected',
      seenAddress: '10.30.1.2',
      mac: vm.nics[1].mac,
    })
    expect((await acts.nicsOf(vm.id)).map(({ state }) => state)).toEqual([
      'connected',
      'connected',
      'connected',
    ])
  })

  test('can do without the platform’s own network; its first NIC then leads out', async () => {
    const { id } = await acts.network({ cidr: '10.40.8.0/24' }, { cidr: '10.40.0.0/16' })
    const vm = await acts.running({ networkIds: [id], podNetwork: false })
    expect(vm.nics).toMatchObject([
      { name: 'nic0', kind: 'private', address: '10.40.8.2', isPrimary: true, mac: vm.mac },
    ])
    expect(await acts.networkData(vm)).toEqual({
      version: 2,
      ethernets: {
        nic0: {
          match: { macaddress: vm.mac },
          addresses: ['10.40.8.2/24'],
          routes: [{ to: '0.0.0.0/0', via: '10.40.8.1' }],
        },
      },
    })
    expect(await acts.connected(vm.id, 'nic0')).toMatchObject({ seenAddress: '10.40.8.2' })
  })

  test('keeps its addresses until it is gone and they have rested; then another one gets them', async () => {
    const { id } = await acts.network({ cidr: '10.50.8.0/29' }, { cidr: '10.50.0.0/16' })
    const vms = await Promise.all(
      Array.from({ length: 5 }, () => acts.deployed({ networkIds: [id] })),
    )
    const [before] = vms
    expect(await acts.refusal({ networkIds: [id] })).toBe('addresses_exhausted')
    await world.ended('deploy_vm', before.id)
    await acts.removed(before.id)
    expect(await addressesIn(id)).toContainEqual({
      address: before.nics[1].address,
      mac: before.nics[1].mac,
      leaving: true,
    })
    expect(await acts.refusal({ networkIds: [id] })).toBe('addresses_exhausted')
    await rested(id)
    const after = await acts.deployed({ networkIds: [id] })
    expect(after.nics[1].address).toBe(before.nics[1].address)
    expect(after.nics[1].mac).not.toBe(before.nics[1].mac)
  })

  test('that is still going keeps what it has', async () => {
    const { id } = await acts.network({ prefix: 28 }, { cidr: '10.60.0.0/16' })
    const vm = await acts.running({ networkIds: [id] })
    await sandboxFaults(world.cluster).order('controllers/hold', { controller: 'virt-handler' })
    await tenant.admin.ask('mutation ($id: ID!) { deleteVm(input: { id: $id }) { vm { id } } }', {
      id: vm.id,
    })
    await waitFor(
      async () =>
        (await world.database.sql(`select 1 from work where object_id = '${vm.id}'`)).length > 0,
      {
        what: 'the deletion',
      },
    )
    expect(await addressesIn(id)).toEqual([
      { address: vm.nics[1].address, mac: vm.nics[1].mac, leaving: false },
    ])
    await sandboxFaults(world.cluster).order('controllers/release', { controller: 'virt-handler' })
    await world.ended('delete_vm', vm.id)
    expect(await addressesIn(id)).toMatchObject([{ leaving: true }])
  })

  test('waits for a network that is still being made', async () => {
    const { aVpc, aNetwork } = networkActs(() => ({ world, tenant }))
    const { vpc } = await aVpc({ cidr: '10.70.0.0/16' })
    const path = '*/network-attachment-definitions/net-*'
    await sandboxFaults(world.cluster).order('requests', {
      path,
      times: 1_000,
      fault: { do: 'answer', status: 503 },
    })
    const network = await aNetwork(vpc.id)
    const vm = await acts.deployed({ networkIds: [network.id], start: true })
    // One that was asked for later and waits for nothing is there before it.
    await acts.running({})
    expect(await acts.machine(vm)).toBeUndefined()
    await sandboxFaults(world.cluster).order('requests/clear', {})
    expect((await world.ended('deploy_vm', vm.id)).state).toBe('succeeded')
  })
})

describe('a VM that is there', () => {
  const stopped = async (id: string): Promise<void> => {
    await tenant.admin.ask(
      'mutation ($i: StopVmInput!) { stopVm(input: $i, waitSeconds: 20) { operation { state } } }',
      { i: { id } },
    )
  }

  test('gets a NIC in another network at once while it is off, and leaves it so', async () => {
    const { id } = await acts.network({ prefix: 28 }, { cidr: '10.97.0.0/16' })
    const vm = await acts.deployed({})
    await world.ended('deploy_vm', vm.id)
    const attached = await acts.rewire('attachNetwork', vm.id, id)
    expect(attached).toMatchObject({
      applies: 'at_once',
      operation: { kind: 'attach_network', state: 'succeeded' },
    })
    expect(attached.vm.nics).toMatchObject([
      { name: 'nic0' },
      { name: 'nic1', state: 'waiting', address: '10.97.1.2', networkId: id },
    ])
    await acts.verb('startVm', vm.id)
    expect(await acts.connected(vm.id, 'nic1')).toMatchObject({
      state: 'connected',
      seenAddress: '10.97.1.2',
    })

    await stopped(vm.id)
    const detached = await acts.rewire('detachNetwork', vm.id, id)
    expect(detached).toMatchObject({
      applies: 'at_once',
      operation: { kind: 'detach_network', state: 'succeeded' },
    })
    await waitFor(async () => (await acts.nicsOf(vm.id)).length === 1, {
      timeoutMs: 15_000,
      what: 'the NIC to be gone',
    })
    expect((await acts.machine(vm)).networks).toEqual([{ name: 'nic0', pod: {} }])
    expect(await addressesIn(id)).toMatchObject([{ address: '10.97.1.2', leaving: true }])
    expect((await acts.networkData(vm)).ethernets).toEqual({
      nic0: { match: { macaddress: vm.mac }, dhcp4: true },
    })
  })

  test('is not put where it is, nor taken from where it is not, nor left without a NIC', async () => {
    const { id } = await acts.network({ prefix: 28 }, { cidr: '10.99.0.0/16' })
    const vm = await acts.deployed({ networkIds: [id], podNetwork: false })
    await world.ended('deploy_vm', vm.id)
    expect(await acts.rewire('attachNetwork', vm.id, id)).toBe('already_exists')
    expect(await acts.rewire('attachNetwork', vm.id, randomUUID())).toBe('not_found')
    expect(await acts.rewire('detachNetwork', vm.id, randomUUID())).toBe('not_found')
    expect(await acts.rewire('detachNetwork', vm.id, id)).toBe('wrong_state')
  })
})

describe('a network', () => {
  const addresses = `query ($id: ID!, $n: Int, $a: String) { networkAddresses(networkId: $id, first: $n, after: $a) { totalCount pageInfo { endCursor hasNextPage }
    nodes { address mac nic vmId vmName freeAt } } }`
  const refusalOf = async (document: string, i: Json): Promise<[string | null, string]> => {
    const { code, text } = await tenant.admin.graphql(document, { i })
    return [code, text]
  }

  test('shows who has which of its addresses, page by page, and which nobody gets', async () => {
    const network = await acts.network({ prefix: 28 }, { cidr: '10.94.0.0/16' })
    const vms = await Promise.all(
      ['one', 'two', 'three'].map((name) => acts.deployed({ name, networkIds: [network.id] })),
    )
    await world.ended('deploy_vm', vms[0].id)
    await acts.removed(vms[0].id)
    const listed: Json[] = []
    let after: string | undefined
    do {
      const { totalCount, nodes, pageInfo } = (
        await tenant.admin.ask(addresses, { id: network.id, n: 2, a: after })
      ).networkAddresses
      expect(totalCount).toBe(3)
      listed.push(...nodes)
      after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined
    } while (after !== undefined)
    const expected = vms.map(({ id, name, nics }, index) => ({
      address: nics[1].address,
      mac: nics[1].mac,
      nic: 'nic1',
      vmId: id,
      vmName: name,
      freeAt: index === 0 ? expect.any(String) : null,
    }))
    expect(listed).toEqual(expected.toSorted((a, b) => (a.address < b.address ? -1 : 1)))
    const shown =
      'query ($id: ID!) { network(id: $id) { capacity reservedAddresses { address use } } }'
    expect((await tenant.admin.ask(shown, { id: network.id })).network).toEqual({
      capacity: 13,
      reservedAddresses: [
        { address: '10.94.1.0', use: 'network' },
        { address: '10.94.1.1', use: 'gateway' },
        { address: '10.94.1.15', use: 'broadcast' },
      ],
    })
  })

  test('is not deleted, nor its VPC, as long as VMs are in it, and they are named', async () => {
    const { id, vpcId } = await acts.network({}, { cidr: '10.95.0.0/16' })
    const vm = await acts.deployed({ networkIds: [id] })
    await world.ended('deploy_vm', vm.id)
    for (const [document, input] of [
      [networkDocuments.deleteNetwork, { id }],
      [networkDocuments.deleteVpc, { id: vpcId, withNetworks: true }],
    ] as const)
      expect(await refusalOf(document, input)).toEqual(['in_use', expect.stringContaining(vm.name)])
    const { network } = await tenant.admin.ask(networkDocuments.network, { id })
    const { vpc } = await tenant.admin.ask(networkDocuments.vpc, { id: vpcId })
    for (const { refusals } of [network, vpc]) expect(refusals.delete).toContain(vm.name)
    await acts.removed(vm.id)
    expect(
      (await refusalOf(networkDocuments.deleteVpc, { id: vpcId, withNetworks: true }))[0],
    ).toBeNull()
    expect((await world.ended('delete_vpc', vpcId)).state).toBe('succeeded')
  })

  test('that is deleted while VMs are deployed into it is either refused or takes none of them', async () => {
    const { id } = await acts.network({}, { cidr: '10.96.0.0/16' })
    const asked = Array.from({ length: 8 }, () => acts.ask({ networkIds: [id] }))
    const [[refused], ...answers] = await Promise.all([
      refusalOf(networkDocuments.deleteNetwork, { id }),
      ...asked,
    ])
    const codes = answers.map(({ code }) => code)
    if (refused === null)
      expect(codes.every((code) => code === 'wrong_state' || code === 'not_found')).toBe(true)
    else expect([refused, codes.includes(null)]).toEqual(['in_use', true])
  })
})

test('of 32 VMs that are asked of two replicas at once as many get an address as their network has, and no two the same', async () => {
  const { id } = await acts.network({ prefix: 28 }, { cidr: '10.80.0.0/16' })
  const { url } = await anotherReplica(world)
  const wire = new Wire(() => url)
  const clients = [tenant.admin, wire.client(tenant.admin.token)]
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, index) => acts.ask({ networkIds: [id] }, clients[index % 2])),
  )
  wire.close()
  const refused = answers.filter(({ code }) => code !== null)
  expect(refused.map(({ code }) => code)).toEqual(
    Array.from({ length: 19 }, () => 'addresses_exhausted'),
  )
  const given = answers.flatMap(({ code, data }) =>
    code === null ? [data.createVm.vm.nics[1].address] : [],
  )
  expect(new Set(given).size).toBe(13)
  expect((await addressesIn(id)).map(({ address }) => address)).toEqual(given.toSorted())
  // Nothing is left of those that were refused.
  expect(
    await world.database.sql(
      `select 1 from vm where id not in (select vm_id from nic) and gone_at is null`,
    ),
  ).toEqual([])
})

describe('a VM is not deployed', () => {
  test.each([
    ['into a network that nobody has', 'not_found', () => ({ networkIds: [randomUUID()] })],
    ['into what is no id', 'not_found', () => ({ networkIds: ['nonsense'] })],
    [
      'into one network twice',
      'invalid_input',
      (id: string) => ({ networkIds: [id, id.toUpperCase()] }),
    ],
    ['without any NIC', 'invalid_input', () => ({ podNetwork: false })],
    ['with a public address where there are none', 'feature_disabled', () => ({ publicIp: true })],
    [
      'into more networks than it has room for',
      'invalid_input',
      () => ({ networkIds: Array.from({ length: 9 }, () => randomUUID()) }),
    ],
  ] as const)('%s', async (_where, code, inputOf) => {
    const [network] = (await tenant.admin.ask(networkDocuments.networks)).networks.nodes
    expect(await acts.refusal(inputOf(network.id))).toBe(code)
  })

  test('into a network of another tenant', async () => {
    const rival = await world.tenant()
    const [network] = (await rival.admin.ask(networkDocuments.networks)).networks.nodes
    expect(await acts.refusal({ networkIds: [network.id] })).toBe('not_found')
  })

  test('into a network that is being deleted', async () => {
    const { id } = await acts.network({}, { cidr: '10.90.0.0/16' })
    await tenant.admin.ask(networkDocuments.deleteNetwork, { i: { id } })
    expect(['wrong_state', 'not_found']).toContain(await acts.refusal({ networkIds: [id] }))
  })

  test('where its guest would have the same addresses on two sides', async () => {
    const [network] = (await tenant.admin.ask(networkDocuments.networks)).networks.nodes.filter(
      ({ cidr }: Json) => cidr === '10.0.0.0/24',
    )
    const { id } = await networkActs(() => ({ world, tenant })).aNetwork(network.vpcId, {
      cidr: '10.0.2.0/24',
    })
    expect(await acts.refusal({ networkIds: [id] })).toBe('cidr_overlap')
    expect(await acts.refusal({ networkIds: [id], podNetwork: false })).toBeNull()
  })
})
