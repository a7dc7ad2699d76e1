import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { NicActions } from '../../support/actions/nic-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { VmSnapshotActions } from '../../support/actions/vm-snapshot-actions.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let actions: NicActions
let snapshots: VmSnapshotActions
beforeAll(async () => {
  world = await aWorld({
    config: ({ platform: { networking } }) => {
      networking.public = {
        enabled: true,
        bridge: { name: 'br-wan' },
        mode: 'bridge',
        uplink: null,
        cidr: '203.0.113.0/24',
        dns: [],
        ipPool: [{ first: '203.0.113.10', last: '203.0.113.10' }],
      }
    },
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  actions = await NicActions.in({ world, tenant })
  snapshots = new VmSnapshotActions(world, tenant)
})

/** Deploys a stopped VM and takes a snapshot of it. */
async function original(i: Json): Promise<{ vm: Json; snapshotId: string }> {
  const vm = await actions.deployed(i)
  await world.ended('deploy_vm', vm.id)
  return { vm, snapshotId: (await snapshots.taken(vm.id, { acceptMissing: true })).id }
}

const requestOf = (snapshotId: string, identity: Json, more: Json = {}): Json => ({
  snapshotId,
  name: unique('copy'),
  start: false,
  identity,
  ...more,
})
const refusal = (snapshotId: string, identity: Json, more: Json = {}) =>
  snapshots.refusal('cloneVmSnapshot', requestOf(snapshotId, identity, more))

async function copied(snapshotId: string, identity: Json): Promise<Json> {
  const { vm, operation } = await snapshots.ask('cloneVmSnapshot', requestOf(snapshotId, identity))
  expect(operation.state).toBe('succeeded')
  return vm
}

const wiredAs = (nics: Json[]): Json[] =>
  nics.map(({ kind, mac, address, networkId }) => ({ kind, mac, address, networkId }))
const both = { mac: 'keep', ip: 'keep' } as const

/** Ends the rest period of all released addresses. */
const endRest = () =>
  world.database.sql(
    `update nic set free_at = now() - interval '1 second' where free_at is not null`,
  )

describe('a clone that keeps MACs or addresses', () => {
  test('a clone keeps MACs and addresses of its original only after the original is gone', async () => {
    const { id: networkId } = await actions.network({}, { cidr: '10.40.0.0/16' })
    const { vm, snapshotId } = await original({ networkIds: [networkId] })
    for (const identity of [both, { mac: 'keep' }, { ip: 'keep' }]) {
      const { code, text } = await refusal(snapshotId, identity)
      expect([code, text]).toEqual(['in_use', expect.stringContaining(`VM ${vm.name} has `)])
    }
    await actions.removed(vm.id)
    const copy = await copied(snapshotId, both)
    expect(wiredAs(await actions.nicsOf(copy.id))).toEqual(wiredAs(vm.nics))
    const { domain } = await actions.vmSpec(await tenantVm(copy.id))
    expect(domain.devices.interfaces.map(({ macAddress }: Json) => macAddress)).toEqual(
      vm.nics.map(({ mac }: Json) => mac),
    )
    const { ethernets } = await actions.networkData(copy)
    expect(ethernets.nic1).toMatchObject({
      match: { macaddress: vm.nics[1].mac },
      addresses: [`${vm.nics[1].address}/24`],
    })
    // The refusal names the VM that holds the address, and later reports that the address rests.
    expect(await refusal(snapshotId, both)).toMatchObject({
      code: 'in_use',
      text: expect.stringContaining(`VM ${copy.name} has `),
    })
    await actions.removed(copy.id)
    expect(await refusal(snapshotId, both)).toMatchObject({
      code: 'in_use',
      text: expect.stringContaining('cannot be reused yet'),
    })
    await endRest()
    expect(wiredAs(await actions.nicsOf((await copied(snapshotId, both)).id))).toEqual(
      wiredAs(vm.nics),
    )
  })

  test('a clone keeps only the requested part of the identity', async () => {
    const { id: networkId } = await actions.network({}, { cidr: '10.41.0.0/16' })
    const { vm, snapshotId } = await original({ networkIds: [networkId], podNetwork: false })
    await actions.removed(vm.id)
    const [former] = vm.nics
    const [byAddress, ...more] = await actions.nicsOf((await copied(snapshotId, { ip: 'keep' })).id)
    expect(more).toEqual([])
    expect(byAddress).toMatchObject({ kind: 'private', networkId, address: former.address })
    expect(byAddress?.mac).not.toBe(former.mac)
    const [byMac] = await actions.nicsOf((await copied(snapshotId, { mac: 'keep' })).id)
    expect(byMac).toMatchObject({ kind: 'private', networkId, mac: former.mac })
    expect(byMac?.address).not.toBe(former.address)
  })

  test('one of two clones that race for the same MAC is created', async () => {
    const { vm, snapshotId } = await original({})
    await actions.removed(vm.id)
    const codes = await Promise.all([
      refusal(snapshotId, { mac: 'keep' }),
      refusal(snapshotId, { mac: 'keep' }),
    ])
    expect(codes.map(({ code }) => code).sort()).toEqual(['in_use', null])
  })

  test('the refusal of a clone names the VM that has the address only within the tenant', async () => {
    const { id: networkId } = await actions.network(
      { cidr: '10.42.1.0/29' },
      { cidr: '10.42.0.0/16' },
    )
    const { vm, snapshotId } = await original({ networkIds: [networkId], publicIp: true })
    await actions.removed(vm.id)
    await endRest()
    const taken = vm.nics.find(({ kind }: Json) => kind === 'private').address
    const otherVms = []
    for (const _ of [1, 2, 3, 4, 5])
      otherVms.push(await actions.deployed({ networkIds: [networkId] }))
    const holder = otherVms.find(({ nics }) => nics[1].address === taken)
    const { code, text } = await refusal(snapshotId, { ip: 'keep' })
    expect([code, text]).toEqual([
      'in_use',
      expect.stringMatching(
        new RegExp(`cannot keep address ${taken}, because VM ${holder?.name} has it`),
      ),
    ])
    await actions.removed(holder?.id)
    await endRest()
    const rival = await world.tenant()
    const stranger = await (
      await NicActions.in({ world, tenant: rival })
    ).deployed({ publicIp: true })
    const answer = await refusal(snapshotId, { ip: 'keep' })
    expect(answer).toMatchObject({
      code: 'in_use',
      text: expect.stringContaining(
        'address 203.0.113.10 of network public, because another VM has it',
      ),
    })
    expect(answer.text).not.toContain(stranger.name)
  })

  test('a clone is refused with the reason when the identity cannot be kept', async () => {
    const network = await actions.network({}, { cidr: '10.43.0.0/16' })
    const { vm, snapshotId } = await original({ networkIds: [network.id] })
    const plain = await original({})
    await actions.removed(vm.id)
    await actions.removed(plain.vm.id)
    expect(await refusal(snapshotId, both, { networkIds: [network.id] })).toMatchObject({
      code: 'invalid_input',
    })
    expect(await refusal(plain.snapshotId, { ip: 'keep' })).toMatchObject({ code: 'invalid_input' })
    expect((await tenant.admin.rest('DELETE', `/networks/${network.id}`)).status).toBeLessThan(300)
    await world.ended('delete_network', network.id)
    const gone = await refusal(snapshotId, { mac: 'keep' })
    expect(gone).toMatchObject({
      code: 'wrong_state',
      text: expect.stringContaining(`Network ${network.name}`),
    })
    // Older snapshots have no record of the NICs.
    await world.database.sql(`update vm_snapshot set nics = null where id = '${plain.snapshotId}'`)
    expect(await refusal(plain.snapshotId, { mac: 'keep' })).toMatchObject({ code: 'wrong_state' })
    expect(await refusal(plain.snapshotId, {})).toMatchObject({ code: null })
  })
})

const tenantVm = async (id: string): Promise<Json> =>
  (await tenant.admin.ask('query ($id: ID!) { vm(id: $id) { id name } }', { id })).vm
