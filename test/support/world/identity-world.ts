import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { loginNameFrom } from '../../../server/src/domain/identity/login-name.ts'
import { type Viewer, anonymous } from '../../../server/src/engine/model/viewer.ts'
import { type Handler, createRequestListener } from '../../../server/src/engine/http/http.ts'
import { jsonReply } from '../../../server/src/engine/http/reply.ts'
import { type SignIn, signInOn } from '../../../server/src/edge/session/sign-in.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { type OidcConfig } from '../../../server/src/runtime/config/config.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { createLoginThrottle } from '../../../server/src/engine/auth/login-throttle.ts'
import { type Op } from '../../../server/src/store/op.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { seedIdentity } from '../../../server/src/store/identity/seed-identity.ts'
import { credentialUpdatesOn } from '../../../server/src/store/identity/session-rotation.ts'
import { type Store, storeOn } from '../../../server/src/store/store.ts'
import { type Berth } from '../../../server/src/usecases/berth.ts'
import { createTenant } from '../../../server/src/usecases/tenant/create-tenant.ts'
import { plainNetworking } from './default-networking.ts'
import { type TestDatabase, aDatabase } from '../postgres/database.ts'
import { databaseDriver } from '../postgres/database-driver.ts'

export const secret = new Secret('a secret of the tests, long enough to be one')
export const rootPassword = 'root of all the tests'
export const adminPassword = 'admin of a tenant'

export interface Answered {
  status: number
  headers: Headers
  text: string
  body: Record<string, unknown>
  cookies: string[]
}

export interface IdentityServer extends SignIn {
  url: string
  call(
    method: string,
    path: string,
    call?: { headers?: Record<string, string>; body?: unknown },
  ): Promise<Answered>
  /** Returns the viewer that the server sees for a request with this credential. */
  viewerFor(token: string, headers?: Record<string, string>): Promise<Answered>
  close(): Promise<void>
}

/** Berth's users, logins and sessions with their database, without a cluster. */
export interface IdentityWorld extends AsyncDisposable {
  database: TestDatabase
  store: Store
  berth: Pick<Berth, 'reads' | 'write' | 'refused' | 'secondFactorPolicy'>
  /** Starts the HTTP server of one replica, without a change feed. */
  aServer(options?: { oidc?: OidcConfig; publicUrl?: string }): Promise<IdentityServer>
  /** Runs a use case as this viewer, in the viewer's current tenant. */
  as<T>(viewer: Viewer, act: (op: Op) => Promise<T>): Promise<T>
  root(tenantId?: string): Promise<Viewer>
  aTenant(slug?: string): Promise<{ id: string; slug: string; admin: Viewer }>
  /** The viewer of `tenant/name`, or of the first user with the name. */
  viewerOf(username: string): Promise<Viewer>
}

/** Opens a seeded database, its store, and HTTP servers on it. */
export async function anIdentityWorld(): Promise<IdentityWorld> {
  const database = await aDatabase()
  const log = createLog('silent')
  const orm = await openDatabase({ url: database.url, log, driver: databaseDriver })
  const store = storeOn({
    database: orm,
    clock: systemClock,
    seal: sealFromSecret(secret, 'answers'),
  })
  await seedIdentity(store, { rootPassword: new Secret(rootPassword), log })
  const berth = berthOn(store)
  const servers: IdentityServer[] = []

  async function viewerOf(username: string, tenantId?: string): Promise<Viewer> {
    const [account] = await store.reads('platform').users.accountsNamed(loginNameFrom(username))
    if (!account) throw new TypeError(`the user ${username} does not exist`)
    const view = await store.reads('platform').users.find(account.id)
    const home = {
      tenantId: tenantId ?? account.tenantId,
      homeTenantId: account.tenantId,
      tenantNamed: tenantId !== undefined,
    }
    const permissions = new Set(account.permissions)
    return {
      ...anonymous,
      userId: account.id,
      username: account.username,
      role: view!.role,
      ...home,
      permissions,
      credential: 'token',
      credentialId: randomUUID(),
    }
  }

  const as = <T>(viewer: Viewer, act: (op: Op) => Promise<T>): Promise<T> =>
    berth.write(
      {
        viewer,
        scope: { tenantId: viewer.tenantId ?? '' },
        operation: 'test',
        requestId: 'test',
        address: '',
        idempotency: null,
      },
      act,
    )

  return {
    database,
    store,
    berth,
    as,
    viewerOf,
    root: (tenantId) => viewerOf('root', tenantId),
    async aTenant(slug = `t-${randomUUID().slice(0, 8)}`) {
      const call = {
        viewer: await viewerOf('root'),
        operation: 'createTenant',
        requestId: 'r',
        address: '',
        idempotency: null,
      }
      const made = await berth.write({ ...call, scope: 'platform' }, (op) =>
        createTenant(op, { name: slug, slug, adminPassword }, plainNetworking),
      )
      return { id: made.tenant.id, slug, admin: await viewerOf(`${slug}-admin`) }
    },
    async aServer({ oidc, publicUrl } = {}) {
      const server = await startServer({
        berth,
        pool: orm.pool,
        log,
        oidc: oidc ?? null,
        publicUrl: publicUrl ?? null,
      })
      servers.push(server)
      return server
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.close()
      await orm.close()
      await database.drop()
    },
  }
}

function berthOn(store: Store): IdentityWorld['berth'] {
  return {
    secondFactorPolicy: 'optional',
    reads: (scope) => store.reads(scope),
    write: (call, act) =>
      store.write({ scope: call.scope, call, idempotency: call.idempotency }, act),
    refused: (call, code) =>
      store.recordRefusal(
        call,
        { tenantId: call.viewer.tenantId, kind: null, id: null, name: null },
        { outcome: 'refused', code },
      ),
  }
}

interface ServerParts {
  berth: IdentityWorld['berth']
  pool: Parameters<typeof createLoginThrottle>[0]
  log: ReturnType<typeof createLog>
  oidc: OidcConfig | null
  publicUrl: string | null
}

async function startServer({
  berth,
  pool,
  log,
  oidc,
  publicUrl,
}: ServerParts): Promise<IdentityServer> {
  let handlers: readonly Handler[] = []
  const server = createServer(
    createRequestListener({
      handlers: [(request) => firstReply(handlers, request)],
      log,
      allowedOrigins: () => [],
      trustProxy: 1,
      secure: false,
      stopping: new AbortController().signal,
      observe: () => undefined,
      elapsedMs: () => performance.now(),
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = {
    server: { publicUrl: publicUrl ?? url },
    security: { oidc, allowedOrigins: [], tokenTtlSeconds: 3600 },
  }
  const heartbeat = credentialUpdatesOn(pool)
  const signIn = signInOn({
    config,
    secret,
    clock: systemClock,
    log,
    berth,
    throttle: createLoginThrottle(pool),
    credentials: heartbeat,
  })
  const who = async (headers: IncomingHttpHeaders, target: URL) =>
    jsonReply(200, plain(await signIn.viewers.viewerOf(headers, target)))
  const whoami: Handler = ({ url: target, request }) =>
    target.pathname === '/whoami' ? who(request.headers, target) : null
  handlers = [
    ...signIn.handlersFor({
      runQuery: (request, { headers }) => who(headers, request.url),
      charge: () => undefined,
    }),
    whoami,
  ]
  const call = callerOf(url)
  return {
    ...signIn,
    url,
    call,
    viewerFor: (token, headers = {}) =>
      call('GET', '/whoami', { headers: { authorization: `Bearer ${token}`, ...headers } }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function firstReply(
  handlers: readonly Handler[],
  request: Parameters<Handler>[0],
): Promise<Awaited<ReturnType<Handler>>> {
  for (const handler of handlers) {
    const reply = await handler(request)
    if (reply) return reply
  }
  return null
}

const plain = (viewer: Viewer) => ({ ...viewer, permissions: [...viewer.permissions] })

function callerOf(url: string): IdentityServer['call'] {
  return async (method, path, { headers = {}, body } = {}) => {
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const type: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(60_000)
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...type, ...headers },
      body: sent ?? null,
      redirect: 'manual',
      signal,
    })
    const text = await answer.text()
    const isJson = /json\b/.test(answer.headers.get('content-type') ?? '')
    const parsed = isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: parsed,
      cookies: answer.headers.getSetCookie(),
    }
  }
}
