import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
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
})

test('a login succeeds beside a stale Authorization header', async () => {
  const stale = world.wire.client('not-a-token')
  const { status, body } = await stale.rest('POST', '/auth/login', {
    body: { username: 'root', password: 'root of the whole world' },
  })
  expect([status, typeof body.token]).toEqual([200, 'string'])
})
