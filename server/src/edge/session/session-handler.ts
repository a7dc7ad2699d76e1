import { type IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { logOutOfConsole } from '../../usecases/session/log-out-of-console.ts'
import { type Identity, type Origin } from '../../usecases/identity/identity.ts'
import { type LoginRequest, login } from '../../usecases/session/login.ts'
import { renewSession } from '../../usecases/session/renew-session.ts'
import { parseJson, readText, strangerBodyLimit } from '../../engine/http/body.ts'
import { type RunQuery } from '../graphql-handler.ts'
import { type Handler, type RequestContext } from '../../engine/http/http.ts'
import { type DeviceCookie } from './device-cookie.ts'
import { type FailureCookie } from './failure-cookie.ts'
import { type RefreshCookie } from './refresh-cookie.ts'
import { type Reply, jsonReply, jsonType, problemReply } from '../../engine/http/reply.ts'
import { MethodRefused } from '../../engine/http/method-refused.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface SessionContext {
  identity: Identity
  cookie: RefreshCookie
  device: DeviceCookie
  failure: FailureCookie
  /** The origins whose pages may use sessions, for a request that was sent to `host`. */
  allowedOrigins: (host: string) => readonly string[]
  /** The login through an identity provider. Null when there is none. */
  oidc: { displayName: string } | null
  runQuery: RunQuery
  /** Counts a request before any work is done for it. */
  charge: (http: RequestContext) => void
}

type Answer = (http: RequestContext, context: SessionContext) => Promise<Reply>

const maxQueries = 5
const noStore = { 'cache-control': 'no-store' }

const routes: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  '/auth/methods': { GET: methods },
  '/auth/session': { POST: open, DELETE: end },
  '/auth/session/refresh': { POST: renew },
}

/**
 * Serves the session of the console: a short-lived token for the page, and a rotating one in a
 * cookie.
 */
export function sessionHandler(context: SessionContext): Handler {
  return (http) => {
    const route = routes[http.url.pathname]
    if (!route) return null
    const answer = route[http.method]
    if (!answer) throw new MethodRefused(http.method, Object.keys(route))
    context.charge(http)
    return answer(http, context)
  }
}

export function originOf(http: RequestContext): Origin {
  const { requestId, address } = http
  return { requestId, address, userAgent: String(http.request.headers['user-agent'] ?? '') }
}

/** Answers what the login page shows: the ways to log in, and once why the last login failed. */
async function methods(http: RequestContext, context: SessionContext): Promise<Reply> {
  const { displayName } = context.oidc ?? {}
  const oidc = displayName === undefined ? null : { displayName, startUrl: '/auth/oidc/start' }
  const failure = context.failure.read(http.request.headers.cookie)
  return jsonReply(
    200,
    { password: true, oidc, failure },
    failure === null ? noStore : { ...noStore, 'set-cookie': context.failure.clear() },
  )
}

async function open(http: RequestContext, context: SessionContext): Promise<Reply> {
  const { headers } = http.request
  mustBeAllowedOrigin(headers, context)
  // A form of another site can send any content type except JSON without a preflight.
  if (!/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw new Fault('unsupported_media_type', messageOf('request.json_only'))
  const credentials = credentialsFrom(parseJson(await readText(http.request, strangerBodyLimit)))
  const device = context.device.read(headers.cookie)
  const opened = await login(context.identity, {
    ...originOf(http),
    device,
    ...credentials,
    kind: 'session',
    operation: 'login',
  })
  const { session, token, expiresAt, user, permissions } = opened
  const cookie = context.cookie.write(
    { sessionId: session.id, generation: session.generation },
    session.expiresSeconds - session.nowSeconds,
  )
  return jsonReply(
    200,
    { accessToken: token, expiresAt, user, permissions },
    { ...noStore, 'set-cookie': [cookie, context.device.write(device, user.id)] },
  )
}

async function renew(http: RequestContext, context: SessionContext): Promise<Reply> {
  mustBeConsole(http.request.headers, context)
  // A page first checks if there is a session. A missing session is a normal response and not an
  // error, because browsers report errors.
  if (!context.cookie.isIn(http.request.headers.cookie))
    return { status: 204, headers: noStore, body: '' }
  const claim = context.cookie.read(http.request.headers.cookie)
  if (!claim)
    return ended(http, context, new Fault('unauthenticated', messageOf('access.no_session')))
  const queries = queriesFrom(parseJson(await readText(http.request)))
  try {
    const { session, token, expiresAt } = await renewSession(
      context.identity,
      claim,
      originOf(http),
    )
    const cookie = context.cookie.write(
      { sessionId: session.id, generation: session.generation },
      session.expiresSeconds - session.nowSeconds,
    )
    const renewed = jsonReply(
      200,
      { accessToken: token, expiresAt },
      { ...noStore, 'set-cookie': cookie },
    )
    return queries.length === 0
      ? renewed
      : withAnswers(renewed, await answersTo(queries, { http, context, token }))
  } catch (error) {
    if (error instanceof Fault && error.code === 'unauthenticated')
      return ended(http, context, error)
    throw error
  }
}

/**
 * Reads the first queries of a page. Their answers come with the token, so that the page waits for
 * one response instead of two.
 */
function queriesFrom(body: unknown): string[] {
  // Every JSON value can be read this way.
  const { questions = [] } = (body ?? {}) as { questions?: unknown }
  const isGood = (each: unknown): each is string => typeof each === 'string'
  if (Array.isArray(questions) && questions.length <= maxQueries && questions.every(isGood))
    return questions
  throw invalid('questions', messageOf('field.queries_of_refresh', { most: maxQueries }))
}

/**
 * Answers each query with the new token. After null the page sends the query again and shows its
 * error.
 */
function answersTo(
  queries: readonly string[],
  { http, context, token }: { http: RequestContext; context: SessionContext; token: string },
): Promise<(string | null)[]> {
  const { 'x-tenant-id': tenant, 'user-agent': agent } = http.request.headers
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': jsonType,
    'x-tenant-id': tenant,
    'user-agent': agent,
  }
  const answerTo = async (body: string): Promise<string | null> => {
    const { status, body: text } = await context.runQuery(http, { headers, body })
    return status === 200 ? String(text).trimEnd() : null
  }
  return Promise.all(queries.map((body) => answerTo(body).catch(() => null)))
}

/**
 * Sends one line of JSON for each answer, because JSON nested in a string is serialized and parsed
 * twice.
 */
const withAnswers = (
  { status, headers, body }: Reply,
  answers: readonly (string | null)[],
): Reply => ({
  status,
  headers: { ...headers, 'content-type': 'application/jsonl' },
  body: [String(body).trimEnd(), ...answers].join('\n'),
})

function ended(http: RequestContext, { cookie }: SessionContext, fault: Fault): Reply {
  return problemReply(fault, http, { 'set-cookie': cookie.clear() })
}

async function end(http: RequestContext, context: SessionContext): Promise<Reply> {
  mustBeConsole(http.request.headers, context)
  const claim = context.cookie.read(http.request.headers.cookie)
  if (claim) await logOutOfConsole(context.identity, claim, originOf(http))
  return { status: 204, headers: { ...noStore, 'set-cookie': context.cookie.clear() }, body: '' }
}

/** Any page can make the browser send the cookie. Only the console can send this header. */
function mustBeConsole(headers: IncomingHttpHeaders, context: SessionContext): void {
  if (headers['x-berth-session'] !== '1')
    throw new Fault('forbidden', messageOf('access.sessions_of_console'))
  mustBeAllowedOrigin(headers, context)
}

function mustBeAllowedOrigin(
  { origin, host = '' }: IncomingHttpHeaders,
  { allowedOrigins }: SessionContext,
): void {
  if (origin === undefined || allowedOrigins(host).includes(origin)) return
  throw new Fault('forbidden', messageOf('access.page_without_sessions'))
}

function credentialsFrom(body: unknown): Pick<LoginRequest, 'username' | 'password' | 'code'> {
  // Every JSON value can be read this way.
  const { username, password, code = null } = (body ?? {}) as Record<string, unknown>
  if (typeof username !== 'string') throw invalid('username', messageOf('field.not_text'))
  if (typeof password !== 'string') throw invalid('password', messageOf('field.not_text'))
  if (code !== null && typeof code !== 'string') throw invalid('code', messageOf('field.not_text'))
  return { username, password, code }
}
