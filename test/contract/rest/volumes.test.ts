import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

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
const patch = (path: string, body: Json, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('PATCH', path, { body, headers })
const remove = (path: string, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('DELETE', path, { headers })
const refusalOf = ({ status, body }: WireAnswer): unknown[] => [
  status,
  body.code,
  body.fields?.[0]?.path,
]
const aVolume = async (body: Json = {}): Promise<Json> =>
  (await post('/volumes', { name: unique('vol'), size_gi: 1, ...body })).body.volume
const aVm = async (): Promise<Json> =>
  (await post('/vms', { name: unique('vm'), template_id: templateId }, { prefer: 'wait=20' })).body
    .vm

describe('volume', () => {
  test('a volume is created, attached, detached and deleted over REST, and each answer is true', async () => {
    const volume = await aVolume({ name: 'my-data', size_gi: 0 })
    expect(volume).toMatchObject({
      name: 'my-data',
      size_gi: 10,
      state: 'ready',
      namespace: tenant.namespace,
      pvc_name: `vol-${volume.id}`,
    })
    const claim = `/api/v1/namespaces/${volume.namespace}/persistentvolumeclaims/${volume.pvc_name}`
    expect((await world.cluster.call(claim)).status).toBe(200)
    const vm = await aVm()
    const attached = await post(
      `/vms/${vm.name}/volumes`,
      { volume_id: volume.id },
      { prefer: 'wait=20' },
    )
    expect([attached.status, attached.body.volume]).toMatchObject([
      200,
      { state: 'attached', vm_id: vm.id },
    ])
    expect((await get(`/vms/${vm.name}/volumes`)).body.volumes).toMatchObject([
      { role: 'root', name: 'root', pvc_name: `vm-${vm.id}-root`, vm_id: vm.id, state: 'attached' },
      { role: 'data', id: volume.id },
    ])
    expect(refusalOf(await remove(`/volumes/${volume.id}`))).toEqual([409, 'in_use', undefined])
    expect(
      refusalOf(await post(`/vms/${(await aVm()).name}/volumes`, { volume_id: volume.id })),
    ).toEqual([409, 'in_use', undefined])
    const detached = await remove(`/vms/${vm.name}/volumes/${volume.id}`)
    expect([detached.status, detached.body.volume.state, detached.body.volume.vm_id]).toEqual([
      200,
      'ready',
      undefined,
    ])
    const again = await remove(`/vms/${vm.name}/volumes/${volume.id}`)
    expect(refusalOf(again)).toEqual([409, 'wrong_state', undefined])
    expect(again.text).toContain('is attached to no VM')
    expect((await remove(`/volumes/${volume.id}`)).body).toEqual({ success: true })
    expect((await get(`/volumes/${volume.id}`)).status).toBe(404)
    expect((await aVolume({ name: 'my-data' })).name).toBe('my-data')
  })

  test('a volume can be deleted as soon as the deletion of its VM is answered', async () => {
    const [volume, vm] = [await aVolume(), await aVm()]
    await post(`/vms/${vm.name}/volumes`, { volume_id: volume.id }, { prefer: 'wait=20' })
    expect((await post('/vms/delete', { name: vm.name })).body).toEqual({ success: true })
    expect((await remove(`/volumes/${volume.id}`)).body).toEqual({ success: true })
  })

  test('a volume grows and is renamed but never shrinks, and its version is its ETag', async () => {
    const volume = await aVolume({ size_gi: 2 })
    const vm = await aVm()
    await post(`/vms/${vm.name}/volumes`, { volume_id: volume.id }, { prefer: 'wait=20' })
    const path = `/volumes/${volume.id}`
    const etag = String((await get(path)).headers['etag'])
    const grown = await patch(
      path,
      { size_gi: 3, name: 'grown' },
      { 'if-match': etag, prefer: 'wait=20' },
    )
    expect([grown.status, grown.body.volume]).toMatchObject([
      200,
      { size_gi: 3, name: 'grown', state: 'attached' },
    ])
    expect(refusalOf(await patch(path, { size_gi: 4 }, { 'if-match': etag }))).toEqual([
      412,
      'version_conflict',
      undefined,
    ])
    const shrunk = await patch(path, { size_gi: 1 })
    expect([...refusalOf(shrunk), shrunk.body.error]).toEqual([
      400,
      'invalid_input',
      'size_gi',
      expect.stringMatching(/^size_gi must be at least 3/),
    ])
    const later = await patch(path, { size_gi: 5 }, { prefer: 'respond-async' })
    expect([later.status, later.body.job.type]).toEqual([202, 'resize_volume'])
  })

  test('a volume request is refused with REST field names when an object is absent or a value is invalid', async () => {
    const [volume, vm] = [await aVolume(), await aVm()]
    const absent = randomUUID()
    const refusals: [Promise<WireAnswer>, unknown[]][] = [
      [post('/volumes', { name: volume.name }), [409, 'already_exists', undefined]],
      [post('/volumes', { name: 'x', size_gi: 100_000 }), [400, 'invalid_input', 'size_gi']],
      [post('/volumes', { name: 'x', snapshot_id: absent }), [404, 'not_found', undefined]],
      [post('/volumes', { name: 'x', storage_class: 'none-such' }), [404, 'not_found', undefined]],
      [post('/snapshots', { volume_id: absent, name: 'x' }), [404, 'not_found', undefined]],
      [post(`/vms/${vm.name}/volumes`, { volume_id: absent }), [404, 'not_found', undefined]],
      [post('/vms/absent/volumes', { volume_id: volume.id }), [404, 'not_found', undefined]],
      [remove(`/vms/${vm.name}/volumes/${volume.id}`), [409, 'wrong_state', undefined]],
      [remove(`/vms/absent/volumes/${volume.id}`), [404, 'not_found', undefined]],
      [get('/vms/absent/volumes'), [404, 'not_found', undefined]],
    ]
    for (const [answer, expected] of refusals) expect(refusalOf(await answer)).toEqual(expected)
    expect((await get(`/vms/${vm.name}/volumes`)).body.volumes).toMatchObject([{ role: 'root' }])
  })
})

test('a volume snapshot is created, becomes a volume, and is deleted', async () => {
  const volume = await aVolume()
  const vm = await aVm()
  await post(`/vms/${vm.name}/volumes`, { volume_id: volume.id }, { prefer: 'wait=20' })
  const taken = await post(
    '/snapshots',
    { volume_id: volume.id, name: 'before-it' },
    { prefer: 'wait=20' },
  )
  const { snapshot } = taken.body
  expect([taken.status, snapshot]).toMatchObject([
    201,
    { name: 'before-it', volume_id: volume.id, state: 'ready', namespace: tenant.namespace },
  ])
  expect((await get('/snapshots?filter=before')).body.snapshots).toEqual([snapshot])
  const copy = await aVolume({ snapshot_id: snapshot.id })
  expect([copy.size_gi, copy.state]).toEqual([1, 'ready'])
  expect(refusalOf(await post('/snapshots', { volume_id: volume.id, name: 'before-it' }))).toEqual([
    409,
    'already_exists',
    undefined,
  ])
  expect((await remove(`/snapshots/${snapshot.id}`)).body).toEqual({ success: true })
  expect((await get(`/snapshots/${snapshot.id}`)).status).toBe(404)
})
