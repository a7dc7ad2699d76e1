import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import {
  type FixtureContext,
  type RouteFixture,
  fixtureOf,
  routeFixtures,
} from '../../support/requests/request-fixtures.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { aWorld, adminPassword, unique } from '../../support/world/world.ts'

/*
 * Sends the bodies that the web console of VirtFoundry 0.5 and its Terraform provider send, field
 * by field. Berth refuses unknown fields, so each field of these clients must be in its table.
 */
let context: FixtureContext
beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  context = { world, tenant: await world.tenant('acme') }
})

const fixtureFor = (route: string): RouteFixture =>
  routeFixtures[route] ?? expect.unreachable(route)

type BodyFrom = (sample: Json) => Promise<object> | object

/** Sends a request of the fixture of a route with another body. */
async function send(route: string, bodyFrom: BodyFrom): Promise<WireAnswer> {
  const fixture = fixtureFor(route)
  const { path, body } = await fixture.arrange(context)
  const client = fixtureOf.caller(fixture, context)
  return client.rest(fixtureOf.method(route), path, { body: await bodyFrom(body) })
}

const expectServed = (route: string, { status, text }: WireAnswer): void =>
  expect([status, text]).toEqual([fixtureFor(route).status, expect.any(String)])

const image = 'quay.io/containerdisks/fedora:40'
const rule = { direction: 'ingress', protocol: 'tcp', port_from: 80, cidr: '0.0.0.0/0' }
const aSmallOffering = async (): Promise<Json> =>
  (await context.tenant.admin.rest('GET', '/service-offerings')).body.service_offerings.find(
    ({ name }: Json) => name === 'small',
  )

/** The bodies of both clients differ from the fixtures only where they are listed here. */
const bodies: [string, string, BodyFrom][] = [
  [
    'Terraform',
    'POST /api/v1/api-keys',
    () => ({
      name: unique('key'),
      user_id: randomUUID(),
      expires_in_days: 30,
      scopes: ['vms:read'],
    }),
  ],
  ['Terraform', 'POST /api/v1/vpcs', () => ({ name: unique('vpc'), cidr: '' })],
  [
    'Terraform',
    'PATCH /api/v1/security-groups/{id}',
    () => ({ name: unique('group'), description: '', rules: null }),
  ],
  [
    'Terraform',
    'POST /api/v1/service-offerings',
    () => ({ name: unique('size'), display_name: '', cpu: 1, memory_mi: 512 }),
  ],
  [
    'Terraform',
    'PATCH /api/v1/vm-templates/{id}',
    () => ({
      display_name: 'Fedora',
      description: 'Words',
      image,
      source_type: 'container',
      os_type: 'linux',
      cloud_init_user_data: '#cloud-config',
    }),
  ],
  ['Terraform', 'POST /api/v1/vms/{name}/ssh', () => ({})],
  ['Terraform', 'POST /api/v1/volumes', () => ({ name: unique('volume'), size_gi: 1 })],
  [
    'the console',
    'POST /api/v1/tenants',
    () => ({ name: 'Acme', slug: unique('acme'), admin_password: adminPassword }),
  ],
  [
    'the console',
    'POST /api/v1/users',
    () => ({
      username: unique('user'),
      password: adminPassword,
      email: '',
      role_name: 'tenant.operator',
    }),
  ],
  ['the console', 'POST /api/v1/api-keys', () => ({ name: unique('key'), expires_in_days: 90 })],
  [
    'the console',
    'POST /api/v1/networks',
    ({ vpc_id }) => ({ name: unique('network'), vpc_id, prefix: 24 }),
  ],
  [
    'the console',
    'POST /api/v1/networks',
    ({ vpc_id }) => ({ name: unique('network'), vpc_id, prefix: 24, cidr: '' }),
  ],
  [
    'the console',
    'POST /api/v1/security-groups',
    () => ({ name: unique('group'), description: '', rules: [rule] }),
  ],
  [
    'the console',
    'PATCH /api/v1/security-groups/{id}',
    () => ({ name: unique('group'), description: '', rules: [] }),
  ],
  [
    'the console',
    'PATCH /api/v1/service-offerings/{id}',
    () => ({
      display_name: 'Small',
      cpu: 2,
      memory_mi: 2048,
      dedicated_cpu: false,
      state: 'Active',
    }),
  ],
  [
    'the console',
    'POST /api/v1/vm-templates',
    () => ({
      name: unique('template'),
      display_name: '',
      description: '',
      image,
      source_type: 'container',
      os_type: 'linux',
      cloud_init_user_data: '',
      iso_size_gi: 8,
      boot_disk_size_gi: 32,
      storage_class: 'local-path',
    }),
  ],
  [
    'the console',
    'POST /api/v1/vms',
    async ({ template_id }) => {
      const { id, cpu, memory_mi } = await aSmallOffering()
      const size = { service_offering_id: id, cpu, memory_mi, dedicated_cpu: false }
      return { name: unique('vm'), template_id, ...size }
    },
  ],
  [
    'the console',
    'PATCH /api/v1/vms/{name}',
    async () => ({ display_name: 'Web', service_offering_id: (await aSmallOffering()).id }),
  ],
]

test.each(bodies)('the body that %s sends with %s is accepted', async (_client, route, body) => {
  expectServed(route, await send(route, body))
})

describe('namespace', () => {
  const routes = restRoutes
    .filter(({ request }) => request?.schema.properties?.['namespace'])
    .map(({ method, path }) => `${method} ${path}`)

  test('the bodies that create, change or name an object in a namespace have the field', () => {
    expect(routes.sort()).toEqual([
      'PATCH /api/v1/networks/{id}',
      'PATCH /api/v1/vms/{name}',
      'PATCH /api/v1/volumes/{id}',
      'PATCH /api/v1/vpcs/{id}',
      'POST /api/v1/networks',
      'POST /api/v1/snapshots',
      'POST /api/v1/tenants',
      'POST /api/v1/vm-snapshots',
      'POST /api/v1/vm-snapshots/delete',
      'POST /api/v1/vm-snapshots/restore',
      'POST /api/v1/vms',
      'POST /api/v1/vms/delete',
      'POST /api/v1/vms/retry',
      'POST /api/v1/vms/start',
      'POST /api/v1/vms/stop',
      'POST /api/v1/vms/{name}/ssh',
      'POST /api/v1/vms/{name}/volumes',
      'POST /api/v1/volumes',
      'POST /api/v1/vpcs',
    ])
  })

  test.each(routes)('%s accepts a namespace and does not use it', async (route) => {
    const answer = await send(route, (sample) => ({ ...sample, namespace: 'kube-system' }))
    expectServed(route, answer)
    expect(answer.text).not.toContain('kube-system')
  })

  test('an empty namespace and null are accepted, and other types are refused', async () => {
    const statusOf = async (namespace: unknown): Promise<number> =>
      (await send('POST /api/v1/vpcs', (sample) => ({ ...sample, namespace }))).status
    expect([await statusOf(''), await statusOf(null), await statusOf(5)]).toEqual([201, 201, 400])
  })
})

test('a template refuses another source type and accepts its own', async () => {
  const route = 'PATCH /api/v1/vm-templates/{id}'
  const refused = await send(route, () => ({ source_type: 'iso', display_name: 'Renamed' }))
  expect([refused.status, refused.body.fields.map(({ path }: Json) => path)]).toEqual([
    400,
    ['source_type'],
  ])
  expectServed(route, await send(route, () => ({ source_type: '', display_name: 'Renamed' })))
})
