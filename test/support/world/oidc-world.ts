import { randomUUID } from 'node:crypto'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import {
  type Answered,
  type IdentityServer,
  type IdentityWorld,
  anIdentityWorld,
} from './identity-world.ts'
import { type Deviations, type StubIssuer, anIssuer } from './oidc-issuer.ts'

/** An identity world whose users log in at an identity provider. */
export interface OidcWorld extends AsyncDisposable {
  world: IdentityWorld
  issuer: StubIssuer
  server: IdentityServer
  tenant: Awaited<ReturnType<IdentityWorld['aTenant']>>
  /** Returns the claims of a new person. */
  person(claims?: Record<string, unknown>): Record<string, unknown> & Person
  start(at?: IdentityServer, returnTo?: string): Promise<Answered>
  back(url: URL, cookie: string, at?: IdentityServer): Promise<Answered>
  logIn(
    claims: Record<string, unknown>,
    deviations?: Deviations,
    at?: IdentityServer,
  ): Promise<Answered>
}

interface Person {
  sub: string
  preferred_username: string
}

export const oidcSettings = (of: StubIssuer) => ({
  issuer: of.url,
  clientId: 'berth',
  clientSecret: new Secret('between us'),
  scopes: ['openid', 'profile', 'email'],
  displayName: 'Example',
  usernameClaim: 'preferred_username',
  tenantClaim: 'tenant' as string | null,
  roleClaim: 'role' as string | null,
  groupRoles: [] as string[],
})

export const uniqueName = (stem: string): string => `${stem}-${randomUUID().slice(0, 8)}`

export const cookieOf = (answer: Answered, name: string): string =>
  answer.cookies.find((cookie) => cookie.startsWith(`${name}=`))?.split(';')[0] ?? ''

export const redirectOf = (answer: Answered): string =>
  `${answer.status} ${answer.headers.get('location')}`

export async function anOidcWorld(): Promise<OidcWorld> {
  const world = await anIdentityWorld()
  const issuer = await anIssuer()
  const server = await world.aServer({ oidc: oidcSettings(issuer) })
  const tenant = await world.aTenant()
  const start: OidcWorld['start'] = (at = server, returnTo = '/vms?tab=1') =>
    at.call('GET', `/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`)
  const back: OidcWorld['back'] = (url, cookie, at = server) =>
    at.call('GET', `/auth/oidc/callback${url.search}`, { headers: { cookie } })
  return {
    world,
    issuer,
    server,
    tenant,
    start,
    back,
    person: (claims = {}) => ({
      sub: randomUUID(),
      preferred_username: uniqueName('p'),
      email: 'p@example.com',
      tenant: tenant.slug,
      ...claims,
    }),
    async logIn(claims, deviations = {}, at = server) {
      const started = await start(at)
      const consented = issuer.consent(started.headers.get('location')!, claims, deviations)
      return back(consented, cookieOf(started, 'berth-oidc'), at)
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}
