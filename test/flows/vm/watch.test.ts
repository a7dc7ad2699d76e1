import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
})

const document =
  'subscription ($id: ID!) { vmChanged(id: $id) { id name state wantedPower version } }'

const peerOf = async (token: string): Promise<GraphqlSocketClient> => {
  const peer = await GraphqlSocketClient.login(world.url, { token })
  onTestFinished(() => peer.leave())
  return peer
}
const changesOf = (peer: GraphqlSocketClient, id: string): Json[] =>
  peer
    .of(id)
    .filter(({ type }) => type === 'next')
    .map(({ payload }) => payload.data?.vmChanged)

describe('subscriptions to VMs', () => {
  test('a subscriber gets each state of a VM in order, and the subscription ends with the VM', async () => {
    const vm = await vms.create()
    const peer = await peerOf(tenant.admin.token)
    const watched = peer.subscribe(document, { id: vm.id })
    const states = (): string[] => [
      ...new Set(changesOf(peer, watched).map(({ state }) => state as string)),
    ]
    await waitFor(() => states().includes('Running'), { timeoutMs: 15_000, what: 'the VM to run' })
    await vms.ask('stopVm', vm.id)
    await waitFor(() => states().includes('Stopped'), {
      timeoutMs: 15_000,
      what: 'the VM to be stopped',
    })
    await vms.ask('deleteVm', vm.id)
    await waitFor(() => peer.of(watched).at(-1)?.type === 'complete', {
      timeoutMs: 15_000,
      what: 'the subscription to end',
    })
    const versions = changesOf(peer, watched).map(({ version }) => version as number)
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
    expect(changesOf(peer, watched).at(0)).toMatchObject({ id: vm.id, name: vm.name })
    expect(await vms.read(vm.id)).toBeNull()
  })

  test('a subscriber observes a VM that goes down with its pod and comes back without a request', async () => {
    const faults = sandboxFaults(world.cluster)
    const vm = await vms.running()
    const peer = await peerOf(tenant.admin.token)
    const watched = peer.subscribe(document, { id: vm.id })
    const states = (): string[] => changesOf(peer, watched).map(({ state }) => state as string)
    await waitFor(() => states().length > 0, { what: 'the first state' })
    const pods = `/api/v1/namespaces/${tenant.namespace}/pods`
    const podsOf = async (): Promise<Json[]> =>
      (await world.cluster.call(`${pods}?labelSelector=vm.kubevirt.io%2Fname%3D${vm.name}`)).body
        .items
    const [pod] = await podsOf()
    await faults.inject('controllers/hold', { controller: 'kubelet' })
    onTestFinished(
      async () => void (await faults.inject('controllers/release', { controller: 'kubelet' })),
    )
    await world.cluster.call(`${pods}/${pod?.metadata.name}`, { method: 'DELETE' })
    await waitFor(() => states().at(-1) === 'Stopping', { what: 'the state Stopping' })
    const answer = await tenant.admin.ask(
      'query ($id: ID!) { vm(id: $id) { state wantedPower explanation { code } } }',
      { id: vm.id },
    )
    expect(answer.vm).toEqual({ state: 'Stopping', wantedPower: 'on', explanation: null })
    await faults.inject('controllers/release', { controller: 'kubelet' })
    const heard = (): string =>
      `the VM to run again; received ${states().join(', ')} and at last ${JSON.stringify(peer.of(watched).at(-1))}`
    await waitFor(() => states().at(-1) === 'Running', { timeoutMs: 15_000, what: heard })
    expect((await podsOf()).some(({ metadata }) => metadata.uid !== pod?.metadata.uid)).toBe(true)
    const between = states().slice(states().indexOf('Stopping'))
    // A short state may be missed: the subscription reads the VM when the change arrives.
    expect(
      between.filter(
        (state) => !['Stopping', 'Error', 'Restarting', 'Starting', 'Running'].includes(state),
      ),
    ).toEqual([])
    expect(
      await world.database.sql(`select kind from operation where target_id = '${vm.id}'`),
    ).toEqual([{ kind: 'deploy_vm' }])
  })

  test('a subscriber to another tenant’s VM gets the same answer as for an unknown VM', async () => {
    const vm = await vms.create({ start: false })
    const rival = await world.tenant()
    const peer = await peerOf(rival.admin.token)
    const answers = await Promise.all(
      [vm.id, randomUUID(), 'no id'].map(async (id) => {
        const [answer] = await peer.next(peer.subscribe(document, { id }))
        const { extensions, ...rest } = answer?.payload?.[0] ?? answer?.payload?.errors?.[0] ?? {}
        return { type: answer?.type, ...rest, code: extensions?.code }
      }),
    )
    expect(answers[0]?.code).toBe('not_found')
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('a subscriber to the list gets the changes of its own tenant only', async () => {
    const rival = await world.tenant()
    const rivals = await vmActions(rival.admin)
    const peer = await peerOf(tenant.admin.token)
    const listening = peer.subscribe(
      'subscription { changes(kinds: [vm]) { kind objectId tenantId } }',
    )
    await peer.ask('{ platform { name } }')
    const theirs = await rivals.create({ start: false })
    const own = await vms.create({ start: false })
    const heard = (): Json[] => peer.of(listening).map(({ payload }) => payload.data.changes)
    await waitFor(() => heard().some(({ objectId }) => objectId === own.id), {
      what: 'the change of the own VM',
    })
    expect(heard().some(({ objectId }) => objectId === theirs.id)).toBe(false)
    expect(new Set(heard().map(({ tenantId }) => tenantId))).toEqual(new Set([tenant.id]))
  })

  test('a subscriber gets the changes since its cursor', async () => {
    const vm = await vms.create({ start: false })
    const { changeCursor } = await tenant.admin.ask(
      'query ($id: ID!) { vm(id: $id) { name } changeCursor }',
      { id: vm.id },
    )
    await tenant.admin.ask('mutation ($i: UpdateVmInput!) { updateVm(input: $i) { vm { id } } }', {
      i: { id: vm.id, displayName: 'Later' },
    })
    const peer = await peerOf(tenant.admin.token)
    const listening = peer.subscribe(
      'subscription ($after: String) { changes(after: $after, kinds: [vm]) { objectId } }',
      {
        after: changeCursor,
      },
    )
    await waitFor(
      () => peer.of(listening).some(({ payload }) => payload.data?.changes.objectId === vm.id),
      { what: 'the change' },
    )
  })

  test('a subscriber who loses the permission is disconnected and then refused', async () => {
    const { role } = (
      await tenant.admin.rest('POST', '/roles', {
        body: { name: unique('looker'), permissions: ['vms:read'] },
      })
    ).body
    const [username, password] = [unique('looker'), 'long enough to look']
    await tenant.admin.rest('POST', '/users', { body: { username, password, role_id: role.id } })
    const { token } = await world.login(username, password)
    const vm = await vms.create({ start: false })
    const peer = await peerOf(token)
    const watched = peer.subscribe(document, { id: vm.id })
    await peer.next(watched)
    expect(changesOf(peer, watched)[0]).toMatchObject({ id: vm.id })
    await tenant.admin.rest('PATCH', `/roles/${role.id}`, {
      body: { permissions: ['ssh_keys:read'] },
    })
    expect(await peer.closeCode()).toBe(4403)
    const again = await peerOf(token)
    const [refused] = await again.next(again.subscribe(document, { id: vm.id }))
    expect(JSON.stringify(refused)).toContain('forbidden')
  })
})
