import { randomUUID } from 'node:crypto'
import { type Client } from './world-client.ts'
import { type World, type WorldTenant, adminPassword, rootPassword, unique } from './world.ts'
import { type Json } from './json.ts'

/** A request that a row of the REST table answers with success, and what the answer must look like. */
export interface Asked {
  path: string
  body?: Record<string, unknown>
  /** The names of all fields of the answer, nested ones after a dot; lists by their first element. */
  keys: readonly string[]
}

export interface Act {
  status: number
  by: 'root' | 'admin' | 'anyone'
  /** Who is logged in and still not allowed; null where everybody who is logged in may. */
  refused: 'admin' | 'operator' | 'viewer' | null
  arrange: (place: Place) => Promise<Asked> | Asked
}

export interface Place {
  world: World
  tenant: WorldTenant
}

const tenantKeys = 'id name slug namespace state created_at'
const userKeys = 'id username role role_id tenant_id email state'
const roleKeys = 'id name description is_system permissions created_at'
const keyKeys = 'id user_id tenant_id name prefix scopes expires_at last_used_at revoked_at created_at'
const offeringKeys = 'id name display_name cpu memory_mi dedicated_cpu state created_at'
const operationKeys = `id tenant_id kind target_kind target_id target_name actor_id actor_name state progress cancellable deadline version
  superseded_by steps fault created_at started_at finished_at steps.name steps.title steps.state steps.started_at steps.finished_at`

const words = (text: string): string[] => text.split(/\s+/)
const under = (name: string, text: string): string[] => [name, ...words(text).map((key) => `${name}.${key}`)]

const madeBy = async (client: Client, path: string, body: Record<string, unknown>): Promise<Json> => {
  const made = await client.rest('POST', path, { body })
  if (made.status !== 201) throw new Error(`POST ${path}: ${made.text}`)
  return made.body
}

const password = adminPassword
const aUser = async ({ tenant }: Place): Promise<Json> =>
  (await madeBy(tenant.admin, '/users', { username: unique('user'), password })).user
const aRole = async ({ tenant }: Place): Promise<Json> =>
  (await madeBy(tenant.admin, '/roles', { name: unique('role'), permissions: ['vms:read'] })).role
const aKey = async ({ tenant }: Place): Promise<Json> => (await madeBy(tenant.admin, '/api-keys', { name: unique('key') })).api_key
const anOffering = async ({ world }: Place): Promise<Json> =>
  (await madeBy(world.root, '/service-offerings', { name: unique('size'), cpu: 1, memory_mi: 512 })).service_offering
const anSshKey = async ({ tenant }: Place): Promise<Json> => {
  const document = 'mutation ($name: String!) { createSshKey(input: { name: $name }) { sshKey { id name } } }'
  return (await tenant.admin.ask(document, { name: unique('ssh') })).createSshKey.sshKey
}
const aTemplate = async ({ tenant }: Place): Promise<Json> =>
  (
    await tenant.admin.ask('mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }', {
      i: { name: unique('template'), image: 'quay.io/containerdisks/fedora:40' },
    })
  ).createVmTemplate.vmTemplate
/** Down from the start: whoever needs one that runs says so. */
const aVm = async (place: Place): Promise<Json> => {
  const { id: templateId } = await aTemplate(place)
  const document = 'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id name } } }'
  return (await place.tenant.admin.ask(document, { i: { name: unique('vm'), templateId, start: false } })).createVm.vm
}
export const make = { user: aUser, role: aRole, key: aKey, offering: anOffering, sshKey: anSshKey, template: aTemplate, vm: aVm }

const operationOf = async ({ world, tenant }: Place): Promise<Json> => world.ended('create_tenant', tenant.id)

const asRoot = { by: 'root', refused: 'admin' } as const
const asAdmin = { by: 'admin', refused: 'viewer' } as const
const asAnyone = { by: 'admin', refused: null } as const

/** One act for each row of the table; a test demands that none is missing. */
export const acts: Readonly<Record<string, Act>> = {
  'POST /api/v1/auth/login': {
    ...{ by: 'anyone', refused: null, status: 200 },
    arrange: () => ({
      path: '/auth/login',
      body: { username: 'root', password: rootPassword },
      keys: ['token', 'expires_at', ...under('user', `${userKeys} permissions`)],
    }),
  },
  'GET /api/v1/auth/me': {
    ...asAnyone,
    status: 200,
    arrange: () => ({ path: '/auth/me', keys: words('id username role tenant_id email permissions role_id') }),
  },
  'GET /api/v1/tenants': { ...asRoot, status: 200, arrange: () => ({ path: '/tenants', keys: under('tenants', tenantKeys) }) },
  'GET /api/v1/tenants/{id}': {
    ...asRoot,
    status: 200,
    arrange: ({ tenant }) => ({ path: `/tenants/${tenant.id}`, keys: under('tenant', tenantKeys) }),
  },
  'POST /api/v1/tenants': {
    ...{ ...asRoot, status: 201 },
    arrange: () => ({
      path: '/tenants',
      body: { name: 'One more', slug: unique('more'), admin_password: password },
      keys: [...under('tenant', tenantKeys), ...under('admin_user', userKeys)],
    }),
  },
  'DELETE /api/v1/tenants/{id}': {
    ...{ ...asRoot, status: 200 },
    arrange: async ({ world }) => ({
      path: `/tenants/${(await madeBy(world.root, '/tenants', { slug: unique('gone'), admin_password: password })).tenant.id}`,
      keys: ['deleted', 'id'],
    }),
  },
  'GET /api/v1/users': { ...asAdmin, status: 200, arrange: () => ({ path: '/users', keys: under('users', userKeys) }) },
  'POST /api/v1/users': {
    ...{ ...asAdmin, status: 201 },
    arrange: () => ({
      path: '/users',
      body: { username: unique('user'), password, email: 'a@b.example', role_name: 'tenant.viewer' },
      keys: under('user', userKeys),
    }),
  },
  'PATCH /api/v1/users/{id}': {
    ...{ ...asAdmin, status: 200 },
    arrange: async (place) => ({
      path: `/users/${(await aUser(place)).id}`,
      body: { email: 'new@b.example', state: 'disabled' },
      keys: under('user', userKeys),
    }),
  },
  'DELETE /api/v1/users/{id}': {
    ...asAdmin,
    status: 204,
    arrange: async (place) => ({ path: `/users/${(await aUser(place)).id}`, keys: [] }),
  },
  'GET /api/v1/roles': { ...asAdmin, status: 200, arrange: () => ({ path: '/roles', keys: under('roles', roleKeys) }) },
  'POST /api/v1/roles': {
    ...{ ...asAdmin, status: 201 },
    arrange: () => ({
      path: '/roles',
      body: { name: unique('role'), description: 'Words', permissions: ['vms:read'] },
      keys: under('role', `${roleKeys} tenant_id`),
    }),
  },
  'PATCH /api/v1/roles/{id}': {
    ...{ ...asAdmin, status: 200 },
    arrange: async (place) => ({
      path: `/roles/${(await aRole(place)).id}`,
      body: { permissions: ['vms:read', 'vpcs:read'] },
      keys: under('role', `${roleKeys} tenant_id`),
    }),
  },
  'DELETE /api/v1/roles/{id}': {
    ...asAdmin,
    status: 204,
    arrange: async (place) => ({ path: `/roles/${(await aRole(place)).id}`, keys: [] }),
  },
  'GET /api/v1/api-keys': {
    ...{ ...asAnyone, status: 200 },
    arrange: async (place) => {
      await aKey(place)
      return { path: '/api-keys', keys: under('api_keys', keyKeys) }
    },
  },
  'POST /api/v1/api-keys': {
    ...{ ...asAnyone, status: 201 },
    arrange: () => ({
      path: '/api-keys',
      body: { name: unique('key'), expires_in_days: 3, scopes: ['vms:read'] },
      keys: ['secret', ...under('api_key', keyKeys)],
    }),
  },
  'DELETE /api/v1/api-keys/{id}': {
    ...asAnyone,
    status: 204,
    arrange: async (place) => ({ path: `/api-keys/${(await aKey(place)).id}`, keys: [] }),
  },
  'GET /api/v1/service-offerings': {
    ...asAnyone,
    status: 200,
    arrange: () => ({ path: '/service-offerings', keys: under('service_offerings', offeringKeys) }),
  },
  'POST /api/v1/service-offerings': {
    ...{ ...asRoot, status: 201 },
    arrange: () => ({
      path: '/service-offerings',
      body: { name: unique('size'), cpu: 2, memory_mi: 1024, dedicated_cpu: true },
      keys: under('service_offering', offeringKeys),
    }),
  },
  'PATCH /api/v1/service-offerings/{id}': {
    ...{ ...asRoot, status: 200 },
    arrange: async (place) => ({
      path: `/service-offerings/${(await anOffering(place)).id}`,
      body: { cpu: 3, state: 'Inactive' },
      keys: under('service_offering', offeringKeys),
    }),
  },
  'DELETE /api/v1/service-offerings/{id}': {
    ...asRoot,
    status: 200,
    arrange: async (place) => ({ path: `/service-offerings/${(await anOffering(place)).id}`, keys: ['success'] }),
  },
  'GET /api/v1/operations': {
    ...asAnyone,
    status: 200,
    arrange: () => ({ path: '/operations', keys: under('operations', operationKeys) }),
  },
  'GET /api/v1/operations/{id}': {
    ...{ ...asAnyone, status: 200 },
    arrange: async (place) => ({ path: `/operations/${(await operationOf(place)).id}`, keys: under('operation', operationKeys) }),
  },
}

const callerOf = (act: Act, { world, tenant }: Place): Client =>
  ({ root: world.root, admin: tenant.admin, anyone: world.anonymous })[act.by]

/** The request of an act on an object that nobody has. */
const absent = (path: string): string => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, randomUUID())

const methodOf = (row: string): string => row.split(' ')[0] ?? ''

/** The acts that change something and are made by somebody who is known. */
export const mutations = (): [string, Act][] => Object.entries(acts).filter(([row, { by }]) => methodOf(row) !== 'GET' && by !== 'anyone')

/** Of an act and its row: who may, by which method, and the same on an object that nobody has. */
export const actOf = { caller: callerOf, method: methodOf, absent }
