import { beforeAll, describe, expect, test } from 'vitest'
import { does, guestPassword, shellOf } from '../../support/sandbox/guest-shell.ts'
import { type Json } from '../../support/json.ts'
import { NicActions } from '../../support/actions/nic-actions.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { Wire } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

/*
 * NICs that are attached to and detached from running VMs: by a live migration where that is
 * possible, otherwise with the next start.
 */
let world: World
let tenant: WorldTenant
let actions: NicActions
beforeAll(async () => {
  // Root disks of this class cannot migrate. Most VMs here have no such disk.
  world = await aWorld({
    config: ({ platform }) => void (platform.storage.defaultClass = 'local-path'),
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  actions = await NicActions.in({ world, tenant })
})

const vmOf = async (id: string): Promise<Json> =>
  (await tenant.admin.ask('query ($id: ID!) { vm(id: $id) { state restartRequired } }', { id })).vm
const until = (what: string, holds: () => Promise<boolean>): Promise<void> =>
  waitFor(holds, { what, timeoutMs: 20_000 })
const addressesIn = (networkId: string): Promise<Json[]> =>
  world.database.sql(
    `select host(address) as address, free_at is not null as leaving from nic where network_id = '${networkId}' order by 1`,
  )
const vmiOf = async (id: string): Promise<Json> =>
  (await world.database.sql(`select vmi_uid, ip from vm where id = '${id}'`))[0]
const operationOf = async (id: string): Promise<Json> =>
  (
    await tenant.admin.ask(
      'query ($id: ID!) { operation(id: $id) { state steps { name state } } }',
      { id },
    )
  ).operation
const running = async (i: Json = {}): Promise<Json> => {
  const vm = await actions.running({ cloudInitPassword: guestPassword, ...i })
  await actions.connected(vm.id, 'nic0')
  return vm
}
const done = (last: string, state = 'done'): Json[] => [
  { name: 'vm', state: 'done' },
  { name: last, state },
]

/** Cordons all nodes except the VM's node, so that no migration can succeed. */
async function alone<T>(vm: Json, act: () => Promise<T>): Promise<T> {
  const path = `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachineinstances/${vm.name}`
  const { status }: Json = (await world.cluster.call(path)).body
  const nodes: Json = (await world.cluster.call('/api/v1/nodes')).body
  const otherNodes = nodes.items
    .map(({ metadata }: Json) => metadata.name)
    .filter((name: string) => name !== status.nodeName)
  const cordon = (unschedulable: boolean): Promise<unknown> =>
    Promise.all(
      otherNodes.map((name: string) =>
        world.cluster.call(`/api/v1/nodes/${name}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { spec: { unschedulable } },
        }),
      ),
    )
  await cordon(true)
  try {
    return await act()
  } finally {
    await cordon(false)
  }
}

describe('NICs of a running VM', () => {
  test('a running VM gets a NIC by live migration, and the operation ends when the guest has it', async () => {
    const { id } = await actions.network({ prefix: 28 }, { cidr: '10.101.0.0/16' })
    const vm = await running()
    const before = await vmiOf(vm.id)
    const attached = await actions.rewire('attachNetwork', vm.id, id)
    expect(attached).toMatchObject({ applies: 'while_running', because: null })
    expect(attached.operation).toMatchObject({
      kind: 'attach_network',
      state: 'succeeded',
      steps: done('attached'),
    })
    const [, nic] = await actions.nicsOf(vm.id)
    expect(nic).toMatchObject({
      name: 'nic1',
      state: 'connected',
      stateReason: null,
      address: '10.101.1.2',
      seenAddress: null,
      configuredInGuest: 'no',
    })
    expect((await vmiOf(vm.id)).vmi_uid).toBe(before.vmi_uid)
    expect(await vmOf(vm.id)).toEqual({ state: 'Running', restartRequired: false })
    // The guest reads network data only at boot. Until then the address is set by hand.
    const guest = await shellOf(tenant.admin, vm.id)
    await guest.typeAndExpect('ip a\r', nic.mac)
    await does(guest, 'sudo ip address add 10.101.1.2/28 dev eth1 && sudo ip link set eth1 up')
    expect(await actions.connected(vm.id, 'nic1')).toMatchObject({
      seenAddress: '10.101.1.2',
      configuredInGuest: 'yes',
    })
    await actions.verb('restartVm', vm.id)
    await until('the next VMI', async () => (await vmiOf(vm.id)).vmi_uid !== before.vmi_uid)
    expect(await actions.connected(vm.id, 'nic1')).toMatchObject({
      state: 'connected',
      seenAddress: '10.101.1.2',
    })
  })

  test('a running VM loses a NIC without migration, and the address is released afterwards', async () => {
    const { id } = await actions.network({ prefix: 28 }, { cidr: '10.102.0.0/16' })
    const vm = await running({ networkIds: [id] })
    await actions.connected(vm.id, 'nic1')
    const before = await vmiOf(vm.id)
    const isLeaving: boolean[] = []
    await alone(vm, async () => {
      const detached = await actions.rewire('detachNetwork', vm.id, id)
      expect(detached).toMatchObject({ applies: 'while_running', because: null })
      expect(detached.operation).toMatchObject({
        kind: 'detach_network',
        state: 'succeeded',
        steps: done('detached'),
      })
      const guest = await shellOf(tenant.admin, vm.id)
      await does(guest, 'ip a')
      expect(guest.text()).not.toContain(vm.nics[1].mac)
      expect((await actions.nicsOf(vm.id))[1]).toMatchObject({
        state: 'leaving',
        stateReason: expect.stringContaining('has released the NIC'),
      })
      isLeaving.push(...(await addressesIn(id)).map(({ leaving }) => leaving))
      expect(await vmOf(vm.id)).toEqual({ state: 'Running', restartRequired: false })
      expect(await actions.rewire('attachNetwork', vm.id, id)).toBe('wrong_state')
    })
    expect(isLeaving).toEqual([false])
    await until('the NIC to be gone', async () => (await actions.nicsOf(vm.id)).length === 1)
    expect(await addressesIn(id)).toEqual([{ address: '10.102.1.2', leaving: true }])
    expect((await actions.vmSpec(vm)).networks).toEqual([{ name: 'nic0', pod: {} }])
    expect((await vmiOf(vm.id)).vmi_uid).toBe(before.vmi_uid)
  })

  test('a VM that cannot migrate because of a disk gets the NIC with its next start', async () => {
    const { id } = await actions.network({ prefix: 28 }, { cidr: '10.103.0.0/16' })
    const vm = await running({ rootDisk: 'persistent', bootDiskSizeGi: 10 })
    const attached = await actions.rewire('attachNetwork', vm.id, id)
    expect(attached).toMatchObject({
      applies: 'next_start',
      because: expect.stringContaining('one of its disks'),
    })
    expect(attached.operation).toMatchObject({
      state: 'succeeded',
      steps: done('attached', 'skipped'),
    })
    expect((await actions.nicsOf(vm.id))[1]).toMatchObject({
      state: 'waiting',
      stateReason: expect.stringContaining('one of its disks'),
    })
    await until('the VM to need a restart', async () => (await vmOf(vm.id)).restartRequired)
    await actions.verb('restartVm', vm.id)
    expect(await actions.connected(vm.id, 'nic1')).toMatchObject({
      state: 'connected',
      stateReason: null,
      seenAddress: '10.103.1.2',
    })
    await until('the VM to need no restart', async () => !(await vmOf(vm.id)).restartRequired)
    // Detaching a NIC needs no migration.
    const { vmi_uid: vmiUid } = await vmiOf(vm.id)
    expect(await actions.rewire('detachNetwork', vm.id, id)).toMatchObject({
      applies: 'while_running',
      operation: { state: 'succeeded' },
    })
    expect([(await actions.nicsOf(vm.id))[1].state, (await vmiOf(vm.id)).vmi_uid]).toEqual([
      'leaving',
      vmiUid,
    ])
  })

  test('a VM without a node to migrate to gets the NIC with its next start, and the reason is reported', async () => {
    const { id } = await actions.network({ prefix: 28 }, { cidr: '10.104.0.0/16' })
    const vm = await running()
    await alone(vm, async () => {
      const { url, stop } = await anotherReplica(world)
      const wire = new Wire(() => url)
      const client = wire.client(tenant.admin.token)
      // The replica refuses requests until it has read the capabilities of the cluster.
      const document = 'mutation ($i: CreateVpcInput!) { createVpc(input: $i) { vpc { id } } }'
      await until(
        'the replica to know the cluster',
        async () =>
          (await client.graphql(document, { i: { name: 'known' } })).code !== 'cluster_unavailable',
      )
      const attached = await actions.rewireBy(client, 'attachNetwork', {
        vmId: vm.id,
        networkId: id,
      })
      expect(attached).toMatchObject({
        applies: 'next_start',
        because: expect.stringContaining('only one host'),
      })
      expect(attached.operation).toMatchObject({
        state: 'succeeded',
        steps: done('attached', 'skipped'),
      })
      wire.close()
      await stop()
    })
  })

  test('a VM that misses the deadline of an attach keeps running and gets the NIC at its next start', async () => {
    const { id } = await actions.network({ prefix: 28 }, { cidr: '10.105.0.0/16' })
    const vm = await running()
    await alone(vm, async () => {
      const document =
        'mutation ($i: AttachNetworkInput!) { attachNetwork(input: $i) { applies operation { id } } }'
      const { attachNetwork } = await tenant.admin.ask(document, {
        i: { vmId: vm.id, networkId: id },
      })
      expect(attachNetwork.applies).toBe('while_running')
      const { id: operation } = attachNetwork.operation
      await until(
        'the step to start',
        async () => (await operationOf(operation)).steps[1].state === 'running',
      )
      expect((await actions.nicsOf(vm.id))[1]).toMatchObject({
        state: 'arriving',
        stateReason: null,
      })
      expect(await vmOf(vm.id)).toEqual({ state: 'Running', restartRequired: false })
      await world.database.sql(
        `update vm set nics_live_until = now() - interval '1 second' where id = '${vm.id}'`,
      )
      await until(
        'the operation to end',
        async () => (await operationOf(operation)).state === 'succeeded',
      )
      expect((await operationOf(operation)).steps).toEqual(done('attached', 'skipped'))
      expect((await actions.nicsOf(vm.id))[1]).toMatchObject({
        state: 'waiting',
        stateReason: expect.stringContaining('in time'),
      })
      await until('the VM to need a restart', async () => (await vmOf(vm.id)).restartRequired)
      expect((await vmOf(vm.id)).state).toBe('Running')
      await actions.verb('restartVm', vm.id)
      expect(await actions.connected(vm.id, 'nic1')).toMatchObject({
        state: 'connected',
        seenAddress: '10.105.1.2',
      })
    })
  })
})
