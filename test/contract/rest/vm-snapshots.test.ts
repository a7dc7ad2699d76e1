import { beforeAll, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let templateId: string
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  await make.volume({ world, tenant })
  templateId = (await get('/vm-templates?filter=cirros')).body.vm_templates[0].id
})

const get = (path: string): Promise<WireAnswer> => tenant.admin.rest('GET', path)
const post = (path: string, body: Json, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('POST', path, { body, headers })
const refusalOf = ({ status, body }: WireAnswer): unknown[] => [
  status,
  body.code,
  body.fields?.[0]?.path,
]
const aRunningVm = async (): Promise<Json> =>
  (await post('/vms', { name: unique('vm'), template_id: templateId }, { prefer: 'wait=20' })).body
    .vm
const listed = async (name: string): Promise<Json> =>
  (await get(`/vm-snapshots?filter=${name}`)).body.vm_snapshots[0]
const taken = async (vm: Json, name: string): Promise<Json> => {
  const answer = await post('/vm-snapshots', { vm_name: vm.name, name })
  expect([answer.status, answer.body.vm_snapshot?.phase]).toEqual([201, 'creating'])
  await waitFor(async () => (await listed(name)).phase === 'ready', {
    timeoutMs: 20_000,
    what: 'the snapshot to be ready',
  })
  return answer.body.vm_snapshot
}

test('a VM snapshot is created, listed until it is ready, restored while the VM runs, and deleted', async () => {
  const vm = await aRunningVm()
  const { id } = await taken(vm, 'before-it')
  expect(await listed('before-it')).toMatchObject({
    id,
    vm_id: vm.id,
    vm_name: vm.name,
    namespace: tenant.namespace,
    phase: 'ready',
  })
  const restored = await post('/vm-snapshots/restore', { name: 'before-it', vm_name: vm.name })
  expect([restored.status, restored.body]).toEqual([200, { success: true }])
  expect(await world.ended('restore_vm', vm.id)).toMatchObject({ state: 'succeeded' })
  const { vm: now } = (await get(`/vms/${vm.name}`)).body
  expect([now.power_state, now.id]).toEqual(['Halted', vm.id])
  expect((await listed('before-before-it')).phase).toBe('ready')
  expect((await post('/vm-snapshots/delete', { name: 'before-it' })).body).toEqual({
    success: true,
  })
  expect(
    (await get('/vm-snapshots?filter=before-it')).body.vm_snapshots.map(({ name }: Json) => name),
  ).not.toContain('before-it')
  expect((await taken(vm, 'before-it')).id).not.toBe(id)
})

test("a restore without a VM name restores the snapshot's VM and names its operation", async () => {
  const vm = await aRunningVm()
  await taken(vm, 'mine')
  const restored = await post(
    '/vm-snapshots/restore',
    { name: 'mine', vm_name: '' },
    { prefer: 'respond-async' },
  )
  expect([restored.status, restored.body.job.type]).toEqual([202, 'restore_vm'])
  const { operation } = (await get(String(restored.headers['location']))).body
  expect([operation.target_id, operation.target_name]).toEqual([vm.id, vm.name])
})

test('a VM snapshot request is refused when the VM is absent, the name is taken, or the VM is another one', async () => {
  const [vm, other] = [await aRunningVm(), await aRunningVm()]
  await taken(vm, 'once')
  const refusals: [Promise<WireAnswer>, unknown[]][] = [
    [post('/vm-snapshots', { vm_name: vm.name, name: 'once' }), [409, 'already_exists', undefined]],
    [post('/vm-snapshots', { vm_name: 'absent', name: 'x' }), [404, 'not_found', undefined]],
    [post('/vm-snapshots', { vm_name: vm.name, name: '...' }), [400, 'invalid_input', 'name']],
    [post('/vm-snapshots/delete', { name: 'nothing' }), [404, 'not_found', undefined]],
    [post('/vm-snapshots/restore', { name: 'nothing' }), [404, 'not_found', undefined]],
    [
      post('/vm-snapshots/restore', { name: 'nothing', vm_name: vm.name }),
      [404, 'not_found', undefined],
    ],
    [
      post('/vm-snapshots/restore', { name: 'once', vm_name: other.name }),
      [400, 'invalid_input', 'name'],
    ],
  ]
  for (const [answer, expected] of refusals) expect(refusalOf(await answer)).toEqual(expected)
  expect((await get(`/vms/${other.name}`)).body.vm.power_state).toBe('Running')
})
