import { randomUUID } from 'node:crypto'
import { type Json } from '../json.ts'
import { type RouteFixture, type FixtureContext, by, madeBy, under } from './request-fixture.ts'
import { secondFactorFixtures } from './second-factor-fixtures.ts'
import { nounFixtures, nounMakers } from './nouns.ts'
import { type Client } from '../clients/http-client.ts'
import { adminPassword, rootPassword, unique } from '../world/world.ts'

export type { RouteFixture, FixtureContext }

const roleShows = 'description permissions'

const password = adminPassword
const aUser = async ({ tenant }: FixtureContext): Promise<Json> =>
  (await madeBy(tenant.admin, '/users', { username: unique('user'), password })).user
const aRole = async ({ tenant }: FixtureContext): Promise<Json> =>
  (await madeBy(tenant.admin, '/roles', { name: unique('role'), permissions: ['vms:read'] })).role
const aKey = async ({ tenant }: FixtureContext): Promise<Json> =>
  (await madeBy(tenant.admin, '/api-keys', { name: unique('key') })).api_key
const aSession = async (context: FixtureContext): Promise<Json> => {
  const { username } = await aUser(context)
  const client = await context.world.login(username, password)
  return (await client.rest('GET', '/sessions')).body.sessions[0]
}
const anOffering = async ({ world }: FixtureContext): Promise<Json> =>
  (await madeBy(world.root, '/service-offerings', { name: unique('size'), cpu: 1, memory_mi: 512 }))
    .service_offering
export const make = {
  user: aUser,
  role: aRole,
  key: aKey,
  session: aSession,
  offering: anOffering,
  ...nounMakers,
}

const operationOf = async ({ world, tenant }: FixtureContext): Promise<Json> =>
  world.ended('create_tenant', tenant.id)

/** No two requests of a test set the same limit. */
let quotas = 0

/** One fixture for each REST route. A test checks that none is missing. */
export const routeFixtures: Readonly<Record<string, RouteFixture>> = {
  'POST /api/v1/auth/login': {
    by: 'anyone',
    refused: null,
    status: 200,
    arrange: () => ({
      path: '/auth/login',
      body: { username: 'root', password: rootPassword },
    }),
  },
  'GET /api/v1/auth/me': {
    ...by.anyone,
    status: 200,
    arrange: () => ({
      path: '/auth/me',
    }),
  },
  'POST /api/v1/auth/password': {
    by: 'self',
    refused: null,
    status: 204,
    arrange: async (context) => {
      const { username } = await aUser(context)
      context.self = await context.world.login(username, password)
      return {
        path: '/auth/password',
        body: { current_password: password, new_password: `new ${password}` },
      }
    },
  },
  ...secondFactorFixtures,
  'POST /api/v1/auth/logout': {
    by: 'self',
    refused: null,
    status: 204,
    arrange: async (context) => {
      const { username } = await aUser(context)
      context.self = await context.world.login(username, password)
      return { path: '/auth/logout' }
    },
  },
  'GET /api/v1/sessions': { ...by.anyone, status: 200, arrange: () => ({ path: '/sessions' }) },
  'DELETE /api/v1/sessions/{id}': {
    ...by.anyone,
    status: 204,
    arrange: async (context) => ({ path: `/sessions/${(await aSession(context)).id}` }),
  },
  'GET /api/v1/tenants': {
    ...by.root,
    status: 200,
    arrange: () => ({ path: '/tenants' }),
  },
  'GET /api/v1/tenants/{id}': {
    ...by.root,
    status: 200,
    arrange: ({ tenant }) => ({ path: `/tenants/${tenant.id}` }),
  },
  'POST /api/v1/tenants': {
    ...by.root,
    status: 201,
    arrange: () => ({
      path: '/tenants',
      body: { name: 'One more', slug: unique('more'), admin_password: password },
    }),
  },
  'DELETE /api/v1/tenants/{id}': {
    ...by.root,
    status: 200,
    arrange: async ({ world }) => ({
      path: `/tenants/${(await madeBy(world.root, '/tenants', { slug: unique('gone'), admin_password: password })).tenant.id}`,
    }),
  },
  'PATCH /api/v1/tenants/{id}': {
    ...by.root,
    status: 200,
    arrange: ({ tenant }) => ({
      path: `/tenants/${tenant.id}`,
      body: { name: 'Renamed', description: 'Words' },
    }),
  },
  'GET /api/v1/tenants/{id}/quota': {
    ...by.root,
    status: 200,
    arrange: ({ tenant }) => ({ path: `/tenants/${tenant.id}/quota` }),
  },
  'PATCH /api/v1/tenants/{id}/quota': {
    ...by.root,
    status: 200,
    arrange: ({ tenant }) => ({
      path: `/tenants/${tenant.id}/quota`,
      body: { vms: 1_000 + quotas++, memory_mi: null },
    }),
  },
  'GET /api/v1/quota': { ...by.anyone, status: 200, arrange: () => ({ path: '/quota' }) },
  'GET /api/v1/audit-events': {
    ...by.admin,
    status: 200,
    arrange: () => ({ path: '/audit-events?limit=5' }),
  },
  'POST /api/v1/audit-exports': {
    ...by.admin,
    status: 200,
    media: 'text/csv',
    arrange: () => ({
      path: '/audit-exports',
      body: { format: 'csv', actor_name: unique('actor') },
    }),
  },
  'GET /api/v1/cluster-capacity': {
    ...by.root,
    status: 200,
    arrange: () => ({ path: '/cluster-capacity' }),
  },
  'GET /api/v1/cluster-features': {
    ...by.root,
    status: 200,
    arrange: () => ({ path: '/cluster-features' }),
  },
  'GET /api/v1/cluster-problems': {
    ...by.root,
    status: 200,
    arrange: () => ({ path: '/cluster-problems' }),
  },
  'GET /api/v1/users': {
    ...by.admin,
    status: 200,
    arrange: () => ({ path: '/users' }),
  },
  'GET /api/v1/users/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({ path: `/users/${(await aUser(context)).id}` }),
  },
  'POST /api/v1/users': {
    ...by.admin,
    status: 201,
    arrange: () => ({
      path: '/users',
      body: {
        username: unique('user'),
        password,
        email: 'a@b.example',
        role_name: 'tenant.viewer',
      },
    }),
  },
  'PATCH /api/v1/users/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/users/${(await aUser(context)).id}`,
      body: { email: 'new@b.example', state: 'disabled' },
    }),
  },
  'DELETE /api/v1/users/{id}': {
    ...by.admin,
    status: 204,
    arrange: async (context) => ({ path: `/users/${(await aUser(context)).id}` }),
  },
  'GET /api/v1/roles': {
    ...by.admin,
    status: 200,
    arrange: () => ({ path: '/roles', shows: under('roles', roleShows) }),
  },
  'GET /api/v1/roles/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/roles/${(await aRole(context)).id}`,
      shows: under('role', `${roleShows} tenant_id`),
    }),
  },
  'POST /api/v1/roles': {
    ...by.admin,
    status: 201,
    arrange: () => ({
      path: '/roles',
      body: { name: unique('role'), description: 'Words', permissions: ['vms:read'] },
      shows: under('role', `${roleShows} tenant_id`),
    }),
  },
  'PATCH /api/v1/roles/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/roles/${(await aRole(context)).id}`,
      body: { permissions: ['vms:read', 'vpcs:read'] },
      shows: under('role', `${roleShows} tenant_id`),
    }),
  },
  'DELETE /api/v1/roles/{id}': {
    ...by.admin,
    status: 204,
    arrange: async (context) => ({ path: `/roles/${(await aRole(context)).id}` }),
  },
  'GET /api/v1/api-keys': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => {
      await aKey(context)
      return { path: '/api-keys' }
    },
  },
  'POST /api/v1/api-keys': {
    ...by.anyone,
    status: 201,
    arrange: () => ({
      path: '/api-keys',
      body: { name: unique('key'), expires_in_days: 3, scopes: ['vms:read'] },
    }),
  },
  'DELETE /api/v1/api-keys/{id}': {
    ...by.anyone,
    status: 204,
    arrange: async (context) => ({ path: `/api-keys/${(await aKey(context)).id}` }),
  },
  'GET /api/v1/service-offerings': {
    ...by.anyone,
    status: 200,
    arrange: () => ({ path: '/service-offerings' }),
  },
  'GET /api/v1/service-offerings/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/service-offerings/${(await anOffering(context)).id}`,
    }),
  },
  'POST /api/v1/service-offerings': {
    ...by.root,
    status: 201,
    arrange: () => ({
      path: '/service-offerings',
      body: { name: unique('size'), cpu: 2, memory_mi: 1024, dedicated_cpu: true },
    }),
  },
  'PATCH /api/v1/service-offerings/{id}': {
    ...by.root,
    status: 200,
    arrange: async (context) => ({
      path: `/service-offerings/${(await anOffering(context)).id}`,
      body: { cpu: 3, state: 'Inactive' },
    }),
  },
  'DELETE /api/v1/service-offerings/{id}': {
    ...by.root,
    status: 200,
    arrange: async (context) => ({
      path: `/service-offerings/${(await anOffering(context)).id}`,
    }),
  },
  ...nounFixtures,
  'POST /api/v1/events-ticket': {
    ...by.anyone,
    status: 201,
    arrange: () => ({ path: '/events-ticket' }),
  },
  'GET /api/v1/events': {
    ...by.anyone,
    status: 200,
    media: 'text/event-stream',
    arrange: () => ({ path: '/events' }),
  },
  'GET /api/v1/operations': {
    ...by.anyone,
    status: 200,
    arrange: () => ({ path: '/operations' }),
  },
  'GET /api/v1/operations/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/operations/${(await operationOf(context)).id}`,
    }),
  },
}

const callerOf = (fixture: RouteFixture, { world, tenant, self }: FixtureContext): Client =>
  ({
    root: world.root,
    admin: tenant.admin,
    anyone: world.anonymous,
    self: self ?? world.anonymous,
  })[fixture.by]

/** Replaces the parameter in the path of a fixture. */
function withParameter(row: string, path: string, value: string): string {
  const pattern = row.replace(/^\S+ \/api\/v1/, '').split('/')
  const parts = path.split('/')
  return parts.map((part, index) => (pattern[index]?.startsWith('{') ? value : part)).join('/')
}

/** Returns the path of a fixture for an object that does not exist. */
const absent = (row: string, path: string): string => withParameter(row, path, randomUUID())

const methodOf = (row: string): string => row.split(' ')[0] ?? ''

/** The fixtures that change something, need a login and do not end it. */
export const mutations = (): [string, RouteFixture][] =>
  Object.entries(routeFixtures).filter(
    ([row, { by }]) => methodOf(row) !== 'GET' && by !== 'anyone' && by !== 'self',
  )

/** The mutations in a world that rests before and after them. */
export const settledMutations = (): [string, RouteFixture][] =>
  mutations().filter(([, { leavesOperationOpen = false }]) => !leavesOperationOpen)

/** The client and the method of a fixture, and its path for another or a missing object. */
export const fixtureOf = { caller: callerOf, method: methodOf, absent, naming: withParameter }
