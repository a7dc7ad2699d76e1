import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Peer } from '../../support/clients/graphql-client.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type VmActs, vmActs } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActs
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).order('pace', { factor: 0.1 })
  tenant = await world.tenant()
  vms = await vmActs(tenant.admin)
})

const document =
  'subscription ($id: ID!) { vmChanged(id: $id) { id name state wantedPower version } }'

const peerOf = async (token: string): Promise<Peer> => {
  const peer = await Peer.login(world.url, { token })
  onTestFinished(() => peer.leave())
  return peer
}
const told = (peer: Peer, id: string): Json[] =>
  peer
    .of(id)
    .filter(({ type }) => type === 'next')
    .map(({ payload }) => payload.data?.vmChanged)

describe('who watches a VM', () => {
  test('is told each of its states in order, and when it is gone that there is nothing more to come', async () => {
    const vm = await vms.create()
    const peer = await peerOf(tenant.admin.token)
    const watched = peer.subscribe(document, { id: vm.id })
    const states = (): string[] => [
      ...new Set(told(peer, watched).map(({ state }) => state as string)),
    ]
    await waitFor(() => states().includes('Running'), { timeoutMs: 15_000, what: 'it to run' })
    await vms.ask('stopVm', vm.id)
    await waitFor(() => states().includes('Stopped'), {
      timeoutMs: 15_000,
      what: 'it to be stopped',
    })
    await vms.ask('deleteVm', vm.id)
    await waitFor(() => peer.of(watched).at(-1)?.type === 'complete', {
      timeoutMs: 15_000,
      what: 'the end',
    })
    const versions = told(peer, watched).map(({ version }) => version as number)
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
    expect(told(peer, watched).at(0)).toMatchObject({ id: vm.id, name: vm.name })
    expect(await vms.read(vm.id)).toBeNull()
  })

  test('hears that it goes down with what it ran in, and that it comes back, although nobody asked for anything', async () => {
    const faults = sandboxFaults(world.cluster)
    const vm = await vms.running()
    const peer = await peerOf(tenant.admin.token)
    const watched = peer.subscribe(document, { id: vm.id })
    const states = (): string[] => told(peer, watched).map(({ state }) => state as string)
    await waitFor(() => states().length > 0, { what: 'how it is' })
    const pods = `/api/v1/namespaces/${tenant.namespace}/pods`
    const podsOf = async (): Promise<Json[]> =>
      (await world.cluster.call(`${pods}?labelSelector=vm.kubevirt.io%2Fname%3D${vm.name}`)).body
        .items
    const [pod] = await podsOf()
    await faults.order('controllers/hold', { controller: 'kubelet' })
    onTestFinished(
      async () => void (await faults.order('controllers/release', { controller: 'kubelet' })),
    )
    await world.cluster.call(`${pods}/${pod?.metadata.name}`, { method: 'DELETE' })
    await waitFor(() => states().at(-1) === 'Stopping', { what: 'the news' })
    const seen = await tenant.admin.ask(
      'query ($id: ID!) { vm(id: $id) { state wantedPower explanation { code } } }',
      { id: vm.id },
    )
    expect(seen.vm).toEqual({ state: 'Stopping', wantedPower: 'on', explanation: null })
    await faults.order('controllers/release', { controller: 'kubelet' })
    const heard = (): string =>
      `it to run again; heard ${states().join(', ')} and at last ${JSON.stringify(peer.of(watched).at(-1))}`
    await waitFor(() => states().at(-1) === 'Running', { timeoutMs: 15_000, what: heard })
    expect((await podsOf()).some(({ metadata }) => metadata.uid !== pod?.metadata.uid)).toBe(true)
    const between = states().slice(states().indexOf('Stopping'))
    // What lasts a moment only is heard or not: who hears of a change reads what is there by then.
    expect(
      between.filter(
        (state) => !['Stopping', 'Error', 'Restarting', 'Starting', 'Running'].includes(state),
      ),
    ).toEqual([])
    expect(
      await world.database.sql(`select kind from operation where target_id = '${vm.id}'`),
    ).toEqual([{ kind: 'deploy_vm' }])
  })

  test('of another tenant, or one that is not there, is answered the same and hears nothing of it', async () => {
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

  test('by the list hears which ones changed, and nothing of another tenant’s', async () => {
    const rival = await world.tenant()
    const rivals = await vmActs(rival.admin)
    const peer = await peerOf(tenant.admin.token)
    const listening = peer.subscribe(
      'subscription { changes(kinds: [vm]) { kind objectId tenantId } }',
    )
    await peer.ask('{ platform { name } }')
    const theirs = await rivals.create({ start: false })
    const ours = await vms.create({ start: false })
    const heard = (): Json[] => peer.of(listening).map(({ payload }) => payload.data.changes)
    await waitFor(() => heard().some(({ objectId }) => objectId === ours.id), {
      what: 'the news of ours',
    })
    expect(heard().some(({ objectId }) => objectId === theirs.id)).toBe(false)
    expect(new Set(heard().map(({ tenantId }) => tenantId))).toEqual(new Set([tenant.id]))
  })

  test('hears what has changed since it read, although it listens only now', async () => {
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

  test('is shown out with the right to look, and comes back to a refusal', async () => {
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
    expect(told(peer, watched)[0]).toMatchObject({ id: vm.id })
    await tenant.admin.rest('PATCH', `/roles/${role.id}`, {
      body: { permissions: ['ssh_keys:read'] },
    })
    expect(await peer.closeCode()).toBe(4403)
    const again = await peerOf(token)
    const [refused] = await again.next(again.subscribe(document, { id: vm.id }))
    expect(JSON.stringify(refused)).toContain('forbidden')
  })
})
