import { codeOf, enrol } from '../clients/authenticator.ts'
import { type Client } from '../clients/http-client.ts'
import { adminPassword as password, unique } from '../world/world.ts'
import { type FixtureContext, type RouteFixture, by, madeBy } from './request-fixture.ts'

/** Creates a user of the tenant who sends the request. */
async function aSelf(context: FixtureContext): Promise<{ id: string; self: Client }> {
  const username = unique('user')
  const { user } = await madeBy(context.tenant.admin, '/users', { username, password })
  context.self = await context.world.login(username, password)
  return { id: user.id, self: context.self }
}

const self = { by: 'self', refused: null } as const

export const secondFactorFixtures: Readonly<Record<string, RouteFixture>> = {
  'GET /api/v1/auth/second-factor': {
    ...by.anyone,
    status: 200,
    arrange: () => ({ path: '/auth/second-factor' }),
  },
  'POST /api/v1/auth/second-factor': {
    ...self,
    status: 200,
    arrange: async (context) => {
      await aSelf(context)
      return { path: '/auth/second-factor', body: { password } }
    },
  },
  'POST /api/v1/auth/second-factor/confirm': {
    ...self,
    status: 200,
    arrange: async (context) => {
      const { self } = await aSelf(context)
      const begun = await self.rest('POST', '/auth/second-factor', { body: { password } })
      return { path: '/auth/second-factor/confirm', body: { code: codeOf(begun.body.secret) } }
    },
  },
  'POST /api/v1/auth/second-factor/recovery-codes': {
    ...self,
    status: 200,
    arrange: async (context) => {
      const { secret } = await enrol((await aSelf(context)).self, password)
      return {
        path: '/auth/second-factor/recovery-codes',
        body: { password, code: codeOf(secret, 1) },
      }
    },
  },
  'POST /api/v1/auth/second-factor/disable': {
    ...self,
    status: 204,
    arrange: async (context) => {
      const { secret } = await enrol((await aSelf(context)).self, password)
      return { path: '/auth/second-factor/disable', body: { password, code: codeOf(secret, 1) } }
    },
  },
  'POST /api/v1/users/{id}/reset-second-factor': {
    ...by.admin,
    status: 200,
    arrange: async (context) => {
      const { id, self } = await aSelf(context)
      await enrol(self, password)
      return { path: `/users/${id}/reset-second-factor` }
    },
  },
  'PATCH /api/v1/second-factor': {
    ...by.admin,
    status: 200,
    arrange: () => ({ path: '/second-factor', body: { required: false }, isOnlyBody: true }),
  },
}
