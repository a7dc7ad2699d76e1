import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { networkActions, networkDocuments } from '../../support/actions/network-actions.ts'
import { NicActions } from '../../support/actions/nic-actions.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { Wire } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let actions: NicActions
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  actions = await NicActions.in({ world, tenant })
})

const endRest = (networkId: string): Promise<unknown> =>
  world.database.sql(
    `update nic set free_at = now() - interval '1 second' where network_id = '${networkId}' and free_at is not null`,
  )
const addressesIn = async (networkId: string): Promise<Json[]> =>
  world.database.sql(
    `select host(address) as address, mac, free_at is not null as leaving from nic where network_id = '${networkId}' order by 1`,
  )

describe('VMs in private networks', () => {
  test('a VM has a NIC in the cluster network, then one in each network in the requested order', async () => {
    const [one, other] = [
      await actions.network({}, { cidr: '10.20.0.0/16' }),
      await actions.network({}, { cidr: '10.30.0.0/16' }),
    ]
    const vm = await actions.running({ networkIds: [other.id, one.id] })
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
    const { domain, networks } = await actions.vmSpec(vm)
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
    // The guest configured itself from its network data, and its agent reports the addresses.
    expect(await actions.connected(vm.id, 'nic1')).toMatchObject({
      state: 'connected',
      seenAddress: '10.30.1.2',
      mac: vm.nics[1].mac,
    })
    expect((await actions.nicsOf(vm.id)).map(({ state }) => state)).toEqual([
      'connected',
      'connected',
      'connected',
    ])
  })

  test('a VM without the cluster network uses its first NIC as default route', async () => {
    const { id } = await actions.network({ cidr: '10.40.8.0/24' }, { cidr: '10.40.0.0/16' })
    const vm = await actions.running({ networkIds: [id], podNetwork: false })
    expect(vm.nics).toMatchObject([
      { name: 'nic0', kind: 'private', address: '10.40.8.2', isPrimary: true, mac: vm.mac },
    ])
    expect(await actions.networkData(vm)).toEqual({
      version: 2,
      ethernets: {
        nic0: {
          match: { macaddress: vm.mac },
          addresses: ['10.40.8.2/24'],
          routes: [{ to: '0.0.0.0/0', via: '10.40.8.1' }],
        },
      },
    })
    expect(await actions.connected(vm.id, 'nic0')).toMatchObject({ seenAddress: '10.40.8.2' })
  })

  test('a VM keeps its addresses until it is gone, and their reuse waits for the rest period', async () => {
    const { id } = await actions.network({ cidr: '10.50.8.0/29' }, { cidr: '10.50.0.0/16' })
    const vms = await Promise.all(
      Array.from({ length: 5 }, () => actions.deployed({ networkIds: [id] })),
    )
    const [before] = vms
    expect(await actions.refusal({ networkIds: [id] })).toBe('addresses_exhausted')
    await world.ended('deploy_vm', before.id)
    await actions.removed(before.id)
    expect(await addressesIn(id)).toContainEqual({
      address: before.nics[1].address,
      mac: before.nics[1].mac,
      leaving: true,
    })
    expect(await actions.refusal({ networkIds: [id] })).toBe('addresses_exhausted')
    await endRest(id)
    const after = await actions.deployed({ networkIds: [id] })
    expect(after.nics[1].address).toBe(before.nics[1].address)
    expect(after.nics[1].mac).not.toBe(before.nics[1].mac)
  })

  test('a VM that is being deleted keeps its addresses', async () => {
    const { id } = await actions.network({ prefix: 28 }, { cidr: '10.60.0.0/16' })
    const vm = await actions.running({ networkIds: [id] })
    await sandboxFaults(world.cluster).inject('controllers/hold', { controller: 'virt-handler' })
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
    await sandboxFaults(world.cluster).inject('controllers/release', { controller: 'virt-handler' })
    await world.ended('delete_vm', vm.id)
    expect(await addressesIn(id)).toMatchObject([{ leaving: true }])
  })

  test('a VM waits for a network that is still being created', async () => {
    const { aVpc, aNetwork } = networkActions(() => ({ world, tenant }))
    const { vpc } = await aVpc({ cidr: '10.70.0.0/16' })
    const path = '*/network-attachment-definitions/net-*'
    await sandboxFaults(world.cluster).inject('requests', {
      path,
      times: 1_000,
      fault: { do: 'answer', status: 503 },
    })
    const network = await aNetwork(vpc.id)
    const vm = await actions.deployed({ networkIds: [network.id], start: true })
    // A later VM that waits for nothing starts first.
    await actions.running({})
    expect(await actions.vmSpec(vm)).toBeUndefined()
    await sandboxFaults(world.cluster).inject('requests/clear', {})
    expect((await world.ended('deploy_vm', vm.id)).state).toBe('succeeded')
  })
})

describe('NICs of an existing VM', () => {
  const stopped = async (id: string): Promise<void> => {
    await tenant.admin.ask(
      'mutation ($i: StopVmInput!) { stopVm(input: $i, waitSeconds: 20) { operation { state } } }',
      { i: { id } },
    )
  }

  test('a stopped VM gets and loses a NIC at once', async () => {
    const { id } = await actions.network({ prefix: 28 }, { cidr: '10.97.0.0/16' })
    const vm = await actions.deployed({})
    await world.ended('deploy_vm', vm.id)
    const attached = await actions.rewire('attachNetwork', vm.id, id)
    expect(attached).toMatchObject({
      applies: 'at_once',
      operation: { kind: 'attach_network', state: 'succeeded' },
    })
    expect(attached.vm.nics).toMatchObject([
      { name: 'nic0' },
      { name: 'nic1', state: 'waiting', address: '10.97.1.2', networkId: id },
    ])
    await actions.verb('startVm', vm.id)
    expect(await actions.connected(vm.id, 'nic1')).toMatchObject({
      state: 'connected',
      seenAddress: '10.97.1.2',
    })

    await stopped(vm.id)
    const detached = await actions.rewire('detachNetwork', vm.id, id)
    expect(detached).toMatchObject({
      applies: 'at_once',
      operation: { kind: 'detach_network', state: 'succeeded' },
    })
    await waitFor(async () => (await actions.nicsOf(vm.id)).length === 1, {
      timeoutMs: 15_000,
      what: 'the NIC to be gone',
    })
    expect((await actions.vmSpec(vm)).networks).toEqual([{ name: 'nic0', pod: {} }])
    expect(await addressesIn(id)).toMatchObject([{ address: '10.97.1.2', leaving: true }])
    expect((await actions.networkData(vm)).ethernets).toEqual({
      nic0: { match: { macaddress: vm.mac }, dhcp4: true },
    })
  })

  test('a VM cannot join a network twice, leave a foreign network, or lose its last NIC', async () => {
    const { id } = await actions.network({ prefix: 28 }, { cidr: '10.99.0.0/16' })
    const vm = await actions.deployed({ networkIds: [id], podNetwork: false })
    await world.ended('deploy_vm', vm.id)
    expect(await actions.rewire('attachNetwork', vm.id, id)).toBe('already_exists')
    expect(await actions.rewire('attachNetwork', vm.id, randomUUID())).toBe('not_found')
    expect(await actions.rewire('detachNetwork', vm.id, randomUUID())).toBe('not_found')
    expect(await actions.rewire('detachNetwork', vm.id, id)).toBe('wrong_state')
  })
})

describe('addresses of networks', () => {
  const addresses = `query ($id: ID!, $n: Int, $a: String) { networkAddresses(networkId: $id, first: $n, after: $a) { totalCount pageInfo { endCursor hasNextPage }
    nodes { address mac nic vmId vmName freeAt } } }`
  const refusalOf = async (document: string, i: Json): Promise<[string | null, string]> => {
    const { code, text } = await tenant.admin.graphql(document, { i })
    return [code, text]
  }

  test('a network lists its allocated addresses page by page, and its reserved addresses', async () => {
    const network = await actions.network({ prefix: 28 }, { cidr: '10.94.0.0/16' })
    const vms = await Promise.all(
      ['one', 'two', 'three'].map((name) => actions.deployed({ name, networkIds: [network.id] })),
    )
    await world.ended('deploy_vm', vms[0].id)
    await actions.removed(vms[0].id)
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

  test('a network and its VPC cannot be deleted while VMs use it, and the refusal names them', async () => {
    const { id, vpcId } = await actions.network({}, { cidr: '10.95.0.0/16' })
    const vm = await actions.deployed({ networkIds: [id] })
    await world.ended('deploy_vm', vm.id)
    for (const [document, input] of [
      [networkDocuments.deleteNetwork, { id }],
      [networkDocuments.deleteVpc, { id: vpcId, withNetworks: true }],
    ] as const)
      expect(await refusalOf(document, input)).toEqual(['in_use', expect.stringContaining(vm.name)])
    const { network } = await tenant.admin.ask(networkDocuments.network, { id })
    const { vpc } = await tenant.admin.ask(networkDocuments.vpc, { id: vpcId })
    for (const { refusals } of [network, vpc]) expect(refusals.delete).toContain(vm.name)
    await actions.removed(vm.id)
    expect(
      (await refusalOf(networkDocuments.deleteVpc, { id: vpcId, withNetworks: true }))[0],
    ).toBeNull()
    expect((await world.ended('delete_vpc', vpcId)).state).toBe('succeeded')
  })

  test('a network whose deletion races with deploys is either refused or takes no VM', async () => {
    const { id } = await actions.network({}, { cidr: '10.96.0.0/16' })
    const requests = Array.from({ length: 8 }, () => actions.ask({ networkIds: [id] }))
    const [[refused], ...answers] = await Promise.all([
      refusalOf(networkDocuments.deleteNetwork, { id }),
      ...requests,
    ])
    const codes = answers.map(({ code }) => code)
    if (refused === null)
      expect(codes.every((code) => code === 'wrong_state' || code === 'not_found')).toBe(true)
    else expect([refused, codes.includes(null)]).toEqual(['in_use', true])
  })
})

test('32 VMs that race on two replicas get each address of the network once', async () => {
  const { id } = await actions.network({ prefix: 28 }, { cidr: '10.80.0.0/16' })
  const { url } = await anotherReplica(world)
  const wire = new Wire(() => url)
  const clients = [tenant.admin, wire.client(tenant.admin.token)]
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, index) => actions.ask({ networkIds: [id] }, clients[index % 2])),
  )
  wire.close()
  const refused = answers.filter(({ code }) => code !== null)
  expect(refused.map(({ code }) => code)).toEqual(
    Array.from({ length: 19 }, () => 'addresses_exhausted'),
  )
  const allocated = answers.flatMap(({ code, data }) =>
    code === null ? [data.createVm.vm.nics[1].address] : [],
  )
  expect(new Set(allocated).size).toBe(13)
  expect((await addressesIn(id)).map(({ address }) => address)).toEqual(allocated.toSorted())
  // Refused VMs leave no rows.
  expect(
    await world.database.sql(
      `select 1 from vm where id not in (select vm_id from nic) and gone_at is null`,
    ),
  ).toEqual([])
})

describe('refused deploys', () => {
  test.each([
    ['an unknown network', 'not_found', () => ({ networkIds: [randomUUID()] })],
    ['a malformed network id', 'not_found', () => ({ networkIds: ['nonsense'] })],
    [
      'the same network twice',
      'invalid_input',
      (id: string) => ({ networkIds: [id, id.toUpperCase()] }),
    ],
    ['no NIC at all', 'invalid_input', () => ({ podNetwork: false })],
    ['a public address without a public network', 'feature_disabled', () => ({ publicIp: true })],
    [
      'more networks than a VM can have',
      'invalid_input',
      () => ({ networkIds: Array.from({ length: 9 }, () => randomUUID()) }),
    ],
  ] as const)('a VM is refused with %s', async (_where, code, inputOf) => {
    const [network] = (await tenant.admin.ask(networkDocuments.networks)).networks.nodes
    expect(await actions.refusal(inputOf(network.id))).toBe(code)
  })

  test('a VM is refused in a network of another tenant', async () => {
    const rival = await world.tenant()
    const [network] = (await rival.admin.ask(networkDocuments.networks)).networks.nodes
    expect(await actions.refusal({ networkIds: [network.id] })).toBe('not_found')
  })

  test('a VM is refused in a network that is being deleted', async () => {
    const { id } = await actions.network({}, { cidr: '10.90.0.0/16' })
    await tenant.admin.ask(networkDocuments.deleteNetwork, { i: { id } })
    expect(['wrong_state', 'not_found']).toContain(await actions.refusal({ networkIds: [id] }))
  })

  test('a VM is refused in a network that overlaps the cluster network inside the guest', async () => {
    const [network] = (await tenant.admin.ask(networkDocuments.networks)).networks.nodes.filter(
      ({ cidr }: Json) => cidr === '10.0.0.0/24',
    )
    const { id } = await networkActions(() => ({ world, tenant })).aNetwork(network.vpcId, {
      cidr: '10.0.2.0/24',
    })
    expect(await actions.refusal({ networkIds: [id] })).toBe('cidr_overlap')
    expect(await actions.refusal({ networkIds: [id], podNetwork: false })).toBeNull()
  })
})
