import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Client, type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let templateId: string
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  templateId = (await get('/vm-templates?filter=cirros')).body.vm_templates[0].id
})

const get = (path: string, client: Client = tenant.admin): Promise<WireAnswer> =>
  client.rest('GET', path)
const post = (path: string, body: Json, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('POST', path, { body, headers })
const deploy = (input: Json): Promise<WireAnswer> =>
  post('/vms', { name: unique('vm'), template_id: templateId, ...input }, { prefer: 'wait=20' })
const offeringNamed = async (name: string): Promise<Json> =>
  (await get('/service-offerings')).body.service_offerings.find((each: Json) => each.name === name)
const inTenant = (path: string): string => `${path}/namespaces/${tenant.namespace}`
const vmiOf = async (name: string): Promise<Json> =>
  (await world.cluster.call(`${inTenant('/apis/kubevirt.io/v1')}/virtualmachineinstances/${name}`))
    .body

describe('service offering', () => {
  test('a VM is deployed and resized with an offering by its name', async () => {
    const { vm } = (await deploy({ service_offering_id: 'medium' })).body
    const { id, cpu, memory_mi } = await offeringNamed('medium')
    expect(vm).toMatchObject({ service_offering_id: id, cpu, memory_mi })
    const small = await offeringNamed('small')
    const resized = await tenant.admin.rest('PATCH', `/vms/${vm.name}`, {
      body: { service_offering_id: 'small' },
    })
    expect(resized.body.vm.service_offering_id).toBe(small.id)
    expect((await deploy({ service_offering_id: 'no-such-size' })).status).toBe(404)
  })
})

describe('dedicated CPUs', () => {
  const computeOf = async (name: string): Promise<Json> => {
    const { items } = (await world.cluster.call(`${inTenant('/api/v1')}/pods`)).body
    const pod: Json = items.find(({ metadata }: Json) => metadata.name.includes(`-${name}-`))
    return pod.spec.containers.find((each: Json) => each.name === 'compute').resources
  }

  test('a VM gets dedicated CPUs that are requested beside an offering, as requests equal to limits', async () => {
    const { id, cpu } = await offeringNamed('small')
    const size = { service_offering_id: id, cpu, memory_mi: 1024, dedicated_cpu: true }
    const { vm } = (await deploy(size)).body
    expect(vm).toMatchObject({ service_offering_id: id, dedicated_cpu: true, state: 'Running' })
    expect((await vmiOf(vm.name)).spec.domain.cpu.dedicatedCpuPlacement).toBe(true)
    const { requests, limits } = await computeOf(vm.name)
    expect([requests.cpu, requests.memory]).toEqual([limits.cpu, limits.memory])
    expect(requests.cpu).toBe(String(cpu))
  })

  test('a VM keeps dedicated CPUs with the same offering, and loses them on request or with another offering', async () => {
    const { vm } = (await deploy({ service_offering_id: 'small', dedicated_cpu: true })).body
    const resized = async (body: Json): Promise<unknown> =>
      (await tenant.admin.rest('PATCH', `/vms/${vm.name}`, { body })).body.vm.dedicated_cpu
    await post('/vms/stop', { name: vm.name }, { prefer: 'wait=20' })
    expect(await resized({ service_offering_id: 'small' })).toBe(true)
    expect(await resized({ service_offering_id: 'small', dedicated_cpu: false })).toBe(false)
    expect(await resized({ dedicated_cpu: true })).toBe(true)
    expect(await resized({ service_offering_id: 'medium' })).toBe(false)
    await post('/vms/start', { name: vm.name }, { prefer: 'wait=20' })
    expect((await vmiOf(vm.name)).spec.domain.cpu).not.toHaveProperty('dedicatedCpuPlacement')
  })

  test('an offering with dedicated CPUs gives them to a client that sends false', async () => {
    const { vm } = (await deploy({ service_offering_id: 'small-dedicated', dedicated_cpu: false }))
      .body
    expect(vm.dedicated_cpu).toBe(true)
    expect((await vmiOf(vm.name)).spec.domain.cpu.dedicatedCpuPlacement).toBe(true)
  })

  test('a VM explains that no host has dedicated CPUs, and runs after the remedy', async () => {
    const { items: nodes } = (await world.cluster.call('/api/v1/nodes')).body
    const label = (cpumanager: string | null): Promise<unknown> =>
      Promise.all(
        nodes.map(({ metadata }: Json) =>
          world.cluster.call(`/api/v1/nodes/${metadata.name}`, {
            method: 'PATCH',
            headers: { 'content-type': 'application/merge-patch+json' },
            body: { metadata: { labels: { cpumanager } } },
          }),
        ),
      )
    await label(null)
    onTestFinished(async () => void (await label('true')))
    const name = unique('vm')
    const body = { name, template_id: templateId, service_offering_id: 'small-dedicated' }
    await post('/vms', body, { prefer: 'respond-async' })
    const explained = async (): Promise<Json> =>
      (
        await tenant.admin.ask(
          `query ($n: String!) { vmByName(name: $n) { state explanation { code cause nextStep whoCanFix } } }`,
          { n: name },
        )
      ).vmByName
    await waitFor(async () => (await explained()).state === 'Error', {
      timeoutMs: 20_000,
      what: 'the VM to be unschedulable',
    })
    const { explanation } = await explained()
    expect(explanation).toMatchObject({ code: 'unschedulable', whoCanFix: 'you' })
    expect(explanation.cause).toContain('dedicated CPUs')
    await post('/vms/stop', { name }, { prefer: 'wait=20' })
    await tenant.admin.rest('PATCH', `/vms/${name}`, { body: { service_offering_id: 'small' } })
    const started = await post('/vms/start', { name }, { prefer: 'wait=20' })
    expect(started.body.vm.state).toBe('Running')
  })
})

describe('security group', () => {
  test('an ICMP rule keeps the port that older clients send with it', async () => {
    const rule = { direction: 'ingress', protocol: 'icmp', port_from: 80, cidr: '10.0.0.0/8' }
    const made = await post('/security-groups', { name: unique('sg'), rules: [rule] })
    expect([made.status, made.body.security_group?.rules]).toEqual([201, [rule]])
    const read = await get(`/security-groups/${made.body.security_group.id}`)
    expect(read.body.security_group.rules).toEqual([rule])
  })

  test('a rule for all protocols with a port is refused', async () => {
    const rule = { direction: 'ingress', protocol: 'all', port_from: 80, cidr: '10.0.0.0/8' }
    expect((await post('/security-groups', { name: unique('sg'), rules: [rule] })).status).toBe(400)
  })
})

describe('template', () => {
  test('a template of another system is created and deployed', async () => {
    const image = 'quay.io/containerdisks/fedora:40'
    const made = await post('/vm-templates', { name: unique('bsd'), image, os_type: 'other' })
    expect([made.status, made.body.vm_template?.os_type]).toEqual([201, 'other'])
    const { vm } = (await deploy({ template_id: made.body.vm_template.id })).body
    expect(vm.state).toBe('Running')
  })

  test('a change of a template keeps what it does not name', async () => {
    const texts = { description: 'Words', cloud_init_user_data: '#cloud-config' }
    const body = { name: unique('image'), image: 'quay.io/containerdisks/fedora:40', ...texts }
    const { id } = (await post('/vm-templates', body)).body.vm_template
    const { vm_template: renamed } = (
      await tenant.admin.rest('PATCH', `/vm-templates/${id}`, { body: { display_name: 'Other' } })
    ).body
    expect(renamed).toMatchObject({ display_name: 'Other', ...texts })
  })

  test('every tenant has the templates that older clients name', async () => {
    const { vm_templates: templates } = (await get('/vm-templates')).body
    expect(templates.map(({ name }: Json) => name)).toEqual(
      expect.arrayContaining(['cirros', 'fedora-40', 'ubuntu-2204', 'windows-server-2022']),
    )
  })
})

test('a login succeeds beside a stale Authorization header', async () => {
  const stale = world.wire.client('not-a-token')
  const { status, body } = await stale.rest('POST', '/auth/login', {
    body: { username: 'root', password: 'root of the whole world' },
  })
  expect([status, typeof body.token]).toEqual([200, 'string'])
})

describe('API keys of root in a named tenant', () => {
  const keysFor = async (client: Client): Promise<string[]> =>
    (await get('/api-keys', client)).body.api_keys.map(({ id }: Json) => id)

  test('root creates, lists and revokes its API keys while it names a tenant, and the tenant does not see them', async () => {
    const root = world.root.with({ 'x-tenant-id': tenant.id })
    const body = { name: unique('key'), user_id: tenant.id, scopes: ['vms:read'] }
    const made = await root.rest('POST', '/api-keys', { body })
    expect([made.status, made.body.api_key?.name]).toEqual([201, body.name])
    const { id } = made.body.api_key
    const theirs = (await post('/api-keys', { name: unique('key') })).body.api_key.id
    const rival = await world.tenant()
    const foreign = (await rival.admin.rest('POST', '/api-keys', { body: { name: 'ci' } })).body
    expect(await keysFor(root)).toEqual(expect.arrayContaining([id, theirs]))
    expect(await keysFor(root)).not.toContain(foreign.api_key.id)
    expect(await keysFor(tenant.admin)).not.toContain(id)
    const byKey = world.wire.client(made.body.secret, { 'x-tenant-id': tenant.id })
    expect((await byKey.rest('GET', '/vms')).status).toBe(200)
    const revoked = (path: string, client: Client): Promise<unknown> =>
      client.rest('DELETE', `/api-keys/${path}`).then(({ status }) => status)
    expect(await revoked(foreign.api_key.id, root)).toBe(404)
    expect(await revoked(id, tenant.admin)).toBe(404)
    expect(await revoked(id, root)).toBe(204)
    await waitFor(async () => (await byKey.rest('GET', '/vms')).status === 401, {
      what: 'the key to be refused',
    })
  })
})

describe('identities in the cluster', () => {
  test('a running VM shows its node to callers who may read all tenants, and to no other', async () => {
    const { vm } = (await deploy({})).body
    const root = world.root.with({ 'x-tenant-id': tenant.id })
    const { nodeName } = (await vmiOf(vm.name)).status
    const hostNames = async (client: Client): Promise<unknown[]> => [
      (await get(`/vms/${vm.name}`, client)).body.vm.host_name,
      (await get(`/vms?filter=${vm.name}`, client)).body.vms[0].host_name,
    ]
    expect(nodeName).toMatch(/^node-/)
    expect(await hostNames(root)).toEqual([nodeName, nodeName])
    expect(await hostNames(tenant.admin)).toEqual([undefined, undefined])
  })

  test('snapshots show the UID of their object once it exists', async () => {
    const { vm } = (await deploy({})).body
    const { volume } = (await post('/volumes', { name: unique('vol'), size_gi: 1 })).body
    const wait = { prefer: 'wait=20' }
    await post(`/vms/${vm.name}/volumes`, { volume_id: volume.id }, wait)
    const ofVm = await post('/vm-snapshots', { vm_name: vm.name, name: unique('snap') }, wait)
    const ofVolume = await post('/snapshots', { volume_id: volume.id, name: unique('snap') }, wait)
    const uidsIn = async (list: string): Promise<unknown[]> =>
      (await world.cluster.call(list)).body.items.map(({ metadata }: Json) => metadata.uid)
    const taken = inTenant('/apis/snapshot.kubevirt.io/v1beta1')
    expect(await uidsIn(`${taken}/virtualmachinesnapshots`)).toContain(
      ofVm.body.vm_snapshot.snapshot_uid,
    )
    expect(
      await uidsIn(`${inTenant('/apis/snapshot.storage.k8s.io/v1')}/volumesnapshots`),
    ).toContain(ofVolume.body.snapshot.snapshot_uid)
  })
})
