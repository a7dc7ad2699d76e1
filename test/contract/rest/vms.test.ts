import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { violations } from '../../support/requests/json-schema.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
let templateId: string
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  const { vm_templates: templates } = (
    await tenant.admin.rest('GET', '/vm-templates?filter=cirros')
  ).body
  templateId = templates[0].id
})

const get = (path: string): Promise<WireAnswer> => tenant.admin.rest('GET', path)
const post = (path: string, body: Json, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('POST', path, { body, headers })
const patch = (path: string, body: Json, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('PATCH', path, { body, headers })
const deploy = (input: Json = {}, headers = {}): Promise<WireAnswer> =>
  post('/vms', { name: unique('vm'), template_id: templateId, ...input }, headers)
const vmOf = async (name: string): Promise<Json> => (await get(`/vms/${name}`)).body.vm
const inState = (name: string, state: string): Promise<void> =>
  waitFor(async () => (await vmOf(name)).state === state, {
    timeoutMs: 20_000,
    what: `${name} to be ${state}`,
  })

test('a VM is deployed, stopped, started and deleted over REST', async () => {
  const made = await deploy({
    name: 'web-1',
    cpu: 2,
    memory_mi: 512,
    tags: ['shop'],
    dedicated_cpu: false,
  })
  expect([made.status, made.body.vm]).toMatchObject([
    201,
    {
      name: 'web-1',
      tenant_id: tenant.id,
      namespace: tenant.namespace,
      zone: 'acme',
      cpu: 2,
      memory_mi: 512,
      tags: ['shop'],
    },
  ])
  expect(made.body.vm).toMatchObject({
    power_state: 'Running',
    template_ref: templateId,
    hypervisor: 'KubeVirt',
    dedicated_cpu: false,
  })
  expect(made.body.vm.state).toBe('Starting')
  await inState('web-1', 'Running')
  const { ip, nics } = await vmOf('web-1')
  expect(nics).toEqual([{ name: 'default', ip, mac: expect.stringMatching(/^02:/), type: 'pod' }])
  expect((await post('/vms/stop', { name: 'web-1' })).body).toMatchObject({
    success: true,
    vm: { power_state: 'Halted', state: 'Stopping' },
  })
  await inState('web-1', 'Stopped')
  expect((await post('/vms/start', { name: 'web-1' })).body).toMatchObject({
    success: true,
    vm: { power_state: 'Running', state: 'Starting' },
  })
  await inState('web-1', 'Running')
  expect((await post('/vms/delete', { name: 'web-1' })).body).toEqual({ success: true })
  await waitFor(async () => (await get('/vms/web-1')).status === 404, {
    timeoutMs: 20_000,
    what: 'the VM to be gone',
  })
})

describe('deploy', () => {
  test('an asynchronous deploy answers 202 with a job, and Location is its operation', async () => {
    const { status, headers, body } = await deploy({ async: true })
    expect([Object.keys(body).sort(), headers['operation-location']]).toEqual([
      ['job', 'operation'],
      headers['location'],
    ])
    expect([status, Object.keys(body.job).sort()]).toEqual([
      202,
      ['created_at', 'id', 'payload', 'status', 'tenant_id', 'type', 'updated_at'],
    ])
    expect(body.job).toMatchObject({ type: 'deploy_vm', tenant_id: tenant.id, status: 'pending' })
    const document = (await get('/openapi.json')).body
    const { schema } = document.paths['/api/v1/vms'].post.responses[202].content['application/json']
    expect(violations(schema, body, { document })).toEqual([])
    expect(headers['location']).toBe(`/api/v1/operations/${body.job.id}`)
    const { operation } = (await get(String(headers['location']))).body
    expect([operation.kind, operation.target_name]).toEqual([
      'deploy_vm',
      JSON.parse(body.job.payload).Name,
    ])
  })

  test('a deploy puts every named object into the VM', async () => {
    await world.networksOpen()
    const group = (await post('/security-groups', { name: unique('sg') })).body.security_group
    const volume = (await post('/volumes', { name: unique('vol'), size_gi: 1 })).body.volume
    const { networks } = (await get('/networks')).body
    const named = {
      security_group_ids: [group.id],
      data_volume_id: volume.id,
      network_ids: [networks[0].id],
    }
    const { vm } = (await deploy({ ...named, dedicated_cpu: true, cpu: 2 })).body
    expect(vm).toMatchObject({ dedicated_cpu: true, cpu: 2 })
    const { nad_namespace: namespace, nad_name: name } = networks[0]
    const networkNic = {
      type: 'multus',
      network_id: networks[0].id,
      nad_namespace: namespace,
      nad_name: name,
      ip: expect.stringMatching(/^10\./),
    }
    expect(vm.nics).toMatchObject([{ name: 'default', type: 'pod' }, networkNic])
    expect(vm.vpc_id).toBe(networks[0].vpc_id)
    const { volumes } = (await get(`/vms/${vm.name}/volumes`)).body
    expect(volumes.filter(({ role }: Json) => role === 'data')).toMatchObject([
      { id: volume.id, vm_id: vm.id },
    ])
    const { security } = (
      await tenant.admin.ask('query ($id: ID!) { vm(id: $id) { security { groups { id } } } }', {
        id: vm.id,
      })
    ).vm
    expect(security.groups).toEqual([{ id: group.id }])
  })

  test('a deploy from an image without a template is named after the image', async () => {
    const image = 'quay.io/containerdisks/fedora:40'
    const { status, body } = await deploy({ template_id: '', image })
    expect([status, body.vm]).toMatchObject([201, { image, template: 'fedora' }])
    expect(body.vm).not.toHaveProperty('template_ref')
    await inState(body.vm.name, 'Running')
    for (const wrong of [
      { template_id: '' },
      { template_id: '', image: 'https://images.example/x.iso' },
    ])
      expect([wrong, (await deploy(wrong)).status]).toEqual([wrong, 400])
    expect((await deploy({ image: 'quay.io/containerdisks/fedora:40' })).body.vm.template_ref).toBe(
      templateId,
    )
  })

  test('a deploy with Prefer: wait is answered when the VM runs', async () => {
    const { status, headers, body } = await deploy({}, { prefer: 'respond-async, wait=20' })
    expect([status, headers['preference-applied'], body.vm.state]).toEqual([
      201,
      'wait=20',
      'Running',
    ])
  })

  test('a deploy is refused when a referenced object is absent or the name is taken', async () => {
    const name = unique('taken')
    expect((await deploy({ name })).status).toBe(201)
    const absent = '00000000-0000-4000-8000-00000000dead'
    const refusals = [
      [{ name }, 409, 'already_exists'],
      [{ template_id: absent }, 404, 'not_found'],
      [{ service_offering_id: absent }, 404, 'not_found'],
      [{ ssh_key_id: absent }, 404, 'not_found'],
      [{ security_group_ids: [absent] }, 404, 'not_found'],
      [{ data_volume_id: absent }, 404, 'not_found'],
      [{ network_ids: [absent] }, 404, 'not_found'],
      [{ name: '...' }, 400, 'invalid_input'],
    ] as const
    for (const [input, status, code] of refusals) {
      const answer = await deploy(input)
      expect([input, answer.status, answer.body.code, answer.body.error]).toEqual([
        input,
        status,
        code,
        answer.body.detail,
      ])
    }
  })
})

describe('version', () => {
  test('the version of a VM is its ETag, and a change with an older one is refused', async () => {
    const { name } = (await deploy()).body.vm
    await inState(name, 'Running')
    // Guest reports change the version of a running VM, so the VM is stopped first.
    await post('/vms/stop', { name }, { prefer: 'wait=20' })
    await inState(name, 'Stopped')
    const etagOf = async (): Promise<string> => String((await get(`/vms/${name}`)).headers['etag'])
    // The last observations of the stop may still change the version.
    let etag = ''
    await waitFor(async () => etag === (etag = await etagOf()), { everyMs: 500 })
    expect(etag).toMatch(/^"\d+"$/)
    const changed = await patch(`/vms/${name}`, { display_name: 'One' }, { 'if-match': etag })
    expect([
      changed.status,
      changed.body.vm.display_name,
      changed.headers['etag'] === etag,
    ]).toEqual([200, 'One', false])
    const late = await patch(`/vms/${name}`, { display_name: 'Two' }, { 'if-match': etag })
    expect([late.status, late.body.code]).toEqual([412, 'version_conflict'])
    expect(
      (await patch(`/vms/${name}`, { display_name: 'Three' }, { 'if-match': '*' })).status,
    ).toBe(200)
    expect(
      (await patch(`/vms/${name}`, { display_name: 'Four' }, { 'if-match': 'nonsense' })).status,
    ).toBe(400)
    expect((await vmOf(name)).display_name).toBe('Three')
  })
})

describe('name of a VM', () => {
  test('the name of a VM can be a word of a path', async () => {
    expect((await deploy({ name: 'start' })).status).toBe(201)
    expect((await vmOf('start')).name).toBe('start')
    const put = await tenant.admin.rest('PUT', '/vms/start')
    expect([put.status, String(put.headers['allow']).split(', ').sort()]).toEqual([
      405,
      ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST'],
    ])
  })

  test('the name of a VM of another tenant is not found', async () => {
    const rival = await world.tenant('rival')
    const { name } = (await deploy()).body.vm
    const cases = [
      ['GET', `/vms/${name}`, undefined],
      ['GET', `/vms/${name}/logs`, undefined],
      ['PATCH', `/vms/${name}`, { display_name: 'mine' }],
      ['POST', `/vms/${name}/console-ticket`, undefined],
      ...['start', 'stop', 'delete'].map((verb) => ['POST', `/vms/${verb}`, { name }] as const),
    ] as const
    for (const [method, path, body] of cases) {
      const answer = await rival.admin.rest(method, path, body ? { body } : {})
      expect([path, answer.status, answer.body.error]).toEqual([
        path,
        404,
        expect.stringContaining('not found'),
      ])
    }
    expect((await rival.admin.rest('GET', '/vms')).body).toEqual({ vms: [] })
    expect((await vmOf(name)).display_name).toBe(name)
  })
})

test('a list of VMs is filtered and sorted, and refuses an unknown sort field', async () => {
  const stem = unique('sorted')
  for (const end of ['b', 'a', 'c'])
    expect((await deploy({ name: `${stem}-${end}` })).status).toBe(201)
  const names = async (query: string): Promise<string[]> =>
    (await get(`/vms?filter=${stem}${query}`)).body.vms.map(({ name }: Json) =>
      name.replace(`${stem}-`, ''),
    )
  expect(await names('')).toEqual(['a', 'b', 'c'])
  expect(await names('&sort=-name')).toEqual(['c', 'b', 'a'])
  expect(await names('&sort=created_at')).toEqual(['b', 'a', 'c'])
  const { headers } = await get(`/vms?filter=${stem}&sort=-name&limit=2`)
  const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'])) ?? []
  expect((await get(next)).body.vms.map(({ name }: Json) => name)).toEqual([`${stem}-a`])
  for (const sort of ['', 'state', '--name', 'constructor', '-__proto__'])
    expect([sort, (await get(`/vms?sort=${sort}`)).status]).toEqual([sort, 400])
})

test('the log of a VM is text, and tail limits its lines', async () => {
  const { name } = (await deploy({}, { prefer: 'wait=20' })).body.vm
  const lines = async (query: string): Promise<number> =>
    (await get(`/vms/${name}/logs${query}`)).text.split('\n').length - 1
  await waitFor(async () => (await lines('')) > 3, {
    timeoutMs: 20_000,
    what: 'the guest to write',
  })
  expect(await lines('?tail=2')).toBe(2)
  expect(await lines('?tail=99999999')).toBeGreaterThan(3)
  for (const tail of ['0', '-1', 'x', '1.5'])
    expect([tail, (await get(`/vms/${name}/logs?tail=${tail}`)).status]).toEqual([tail, 400])
})

test('a changed template keeps omitted texts, and an inactive template stays listed', async () => {
  const input = {
    name: unique('image'),
    image: 'quay.io/containerdisks/fedora:40',
    description: 'Words',
    cloud_init_user_data: '#cloud-config',
  }
  const { id } = (await post('/vm-templates', input)).body.vm_template
  const { vm_template: changed } = (
    await patch(`/vm-templates/${id}`, { display_name: 'Other', state: 'Inactive' })
  ).body
  const { description, cloud_init_user_data } = input
  expect(changed).toMatchObject({ description, cloud_init_user_data, state: 'Inactive' })
  const [listed] = (await get(`/vm-templates?filter=Other`)).body.vm_templates
  expect(listed).toEqual(changed)
  const ofPlatform = await tenant.admin.rest('DELETE', `/vm-templates/${templateId}`)
  expect([ofPlatform.status, ofPlatform.body.code]).toEqual([403, 'template_read_only'])
})

test('an SSH key is created with a private key that only its answer shows, and is used by VMs', async () => {
  const made = await post('/ssh-keys', { name: 'my-key' })
  expect([made.status, made.headers['cache-control'], made.body.key.name]).toEqual([
    201,
    'no-store',
    'my-key',
  ])
  expect(made.body.private_key_pem).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----/)
  expect(made.body.key.fingerprint).toMatch(/^SHA256:[\w+/]{43}$/)
  const twice = await post('/ssh-keys/register', {
    name: 'copy',
    public_key: `${made.body.key.public_key} me@here`,
  })
  expect([twice.status, twice.body.code]).toEqual([409, 'already_exists'])
  expect((await deploy({ ssh_key_id: made.body.key.id })).status).toBe(201)
  expect((await tenant.admin.rest('DELETE', `/ssh-keys/${made.body.key.id}`)).body).toEqual({
    success: true,
  })
  expect((await get('/ssh-keys?filter=my-key')).body).toEqual({ ssh_keys: [] })
})
