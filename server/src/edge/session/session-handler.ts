import { type IncomingHttpHeaders } from 'node:http'
import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { endSession } from '../../usecases/identity/end-session.ts'
import { type Identity, type Origin } from '../../usecases/identity/identity.ts'
import { login } from '../../usecases/identity/login.ts'
import { renewSession } from '../../usecases/identity/renew-session.ts'
import { parseJson, readText } from '../../engine/http/body.ts'
import { type Ask } from '../graphql-handler.ts'
import { type Door, type Visit } from '../../engine/http/http.ts'
import { type RefreshCookie } from './refresh-cookie.ts'
import { type Reply, jsonReply, jsonType, problemReply } from '../../engine/http/reply.ts'
import { MethodRefused } from '../../engine/http/method-refused.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface SessionSite {
  identity: Identity
  cookie: RefreshCookie
  /** Where browsers find this installation, and which other origins may use its sessions. */
  publicUrl: string
  allowedOrigins: readonly string[]
  /** Null where nobody logs in through an identity provider. */
  oidc: { displayName: string } | null
  ask: Ask
}

type Answer = (visit: Visit, site: SessionSite) => Promise<Reply>

const mostQuestions = 5
const noStore = { 'cache-control': 'no-store' }

const routes: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  '/auth/methods': { GET: methods },
  '/auth/session': { POST: open, DELETE: end },
  '/auth/session/refresh': { POST: renew },
}

/** The console's own session: a short token for the page, a rotating one in a cookie. */
export function sessionDoor(site: SessionSite): Door {
  return (visit) => {
    const route = routes[visit.url.pathname]
    if (!route) return null
    const answer = route[visit.method]
    if (!answer) throw new MethodRefused(visit.method, Object.keys(route))
    return answer(visit, site)
  }
}

export function originOf(visit: Visit): Origin {
  const { requestId, address } = visit
  return { requestId, address, userAgent: String(visit.request.headers['user-agent'] ?? '') }
}

async function methods(_visit: Visit, { oidc }: SessionSite): Promise<Reply> {
  const startUrl = '/auth/oidc/start'
  return jsonReply(
    200,
    { password: true, oidc: oidc && { displayName: oidc.displayName, startUrl } },
    noStore,
  )
}

async function open(visit: Visit, site: SessionSite): Promise<Reply> {
  const { headers } = visit.request
  mustComeFromUs(headers, site)
  // A form of another site can send anything but JSON without being asked first.
  if (!/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw new Fault('unsupported_media_type', messageOf('request.json_only'))
  const { username, password } = credentialsFrom(parseJson(await readText(visit.request)))
  const opened = await login(site.identity, {
    ...originOf(visit),
    username,
    password,
    kind: 'session',
    operation: 'login',
  })
  const { session, token, expiresAt, user, permissions } = opened
  const cookie = site.cookie.write(
    { sessionId: session.id, generation: session.generation },
    session.expiresSeconds - session.nowSeconds,
  )
  return jsonReply(
    200,
    { accessToken: token, expiresAt, user, permissions },
    { ...noStore, 'set-cookie': cookie },
  )
}

async function renew(visit: Visit, site: SessionSite): Promise<Reply> {
  mustBeOurPage(visit.request.headers, site)
  // A page that is opened asks first whether there is a session. That there is none is an answer,
  // not a refusal: browsers report those.
  if (!site.cookie.isIn(visit.request.headers.cookie))
    return { status: 204, headers: noStore, body: '' }
  const claim = site.cookie.read(visit.request.headers.cookie)
  if (!claim) return over(visit, site, new Fault('unauthenticated', messageOf('access.no_session')))
  const questions = questionsFrom(parseJson(await readText(visit.request)))
  try {
    const { session, token, expiresAt } = await renewSession(site.identity, claim, originOf(visit))
    const cookie = site.cookie.write(
      { sessionId: session.id, generation: session.generation },
      session.expiresSeconds - session.nowSeconds,
    )
    const renewed = jsonReply(
      200,
      { accessToken: token, expiresAt },
      { ...noStore, 'set-cookie': cookie },
    )
    return questions.length === 0
      ? renewed
      : withAnswers(renewed, await answersTo(questions, { visit, site, token }))
  } catch (error) {
    if (error instanceof Fault && error.code === 'unauthenticated') return over(visit, site, error)
    throw error
  }
}

/**
 * What a page that is opened asks first comes along, so that it waits for one answer and not for
 * two, one after the other.
 */
function questionsFrom(body: unknown): string[] {
  // any JSON value can be read this way
  const { questions = [] } = (body ?? {}) as { questions?: unknown }
  const isGood = (each: unknown): each is string => typeof each === 'string'
  if (Array.isArray(questions) && questions.length <= mostQuestions && questions.every(isGood))
    return questions
  throw invalid('questions', messageOf('field.too_many_questions', { most: mostQuestions }))
}

/**
 * Each as the new token would be answered; null is for the page to ask again, and to be told why.
 */
function answersTo(
  questions: readonly string[],
  { visit, site, token }: { visit: Visit; site: SessionSite; token: string },
): Promise<(string | null)[]> {
  const { 'x-tenant-id': tenant, 'user-agent': agent } = visit.request.headers
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': jsonType,
    'x-tenant-id': tenant,
    'user-agent': agent,
  }
  const answerTo = async (body: string): Promise<string | null> => {
    const { status, body: text } = await site.ask(visit, { headers, body })
    return status === 200 ? String(text).trimEnd() : null
  }
  return Promise.all(questions.map((body) => answerTo(body).catch(() => null)))
}

/** One line of JSON each, for a text in a text is made and read twice. */
const withAnswers = (
  { status, headers, body }: Reply,
  answers: readonly (string | null)[],
): Reply => ({
  status,
  headers: { ...headers, 'content-type': 'application/jsonl' },
  body: [String(body).trimEnd(), ...answers].join('\n'),
})

function over(visit: Visit, { cookie }: SessionSite, fault: Fault): Reply {
  return problemReply(fault, visit, { 'set-cookie': cookie.clear() })
}

async function end(visit: Visit, site: SessionSite): Promise<Reply> {
  mustBeOurPage(visit.request.headers, site)
  const claim = site.cookie.read(visit.request.headers.cookie)
  if (claim) await endSession(site.identity, claim, originOf(visit))
  return { status: 204, headers: { ...noStore, 'set-cookie': site.cookie.clear() }, body: '' }
}

/** A cookie is sent by whoever makes the browser ask; a header of our own only by our page. */
function mustBeOurPage(headers: IncomingHttpHeaders, site: SessionSite): void {
  if (headers['x-berth-session'] !== '1')
    throw new Fault('forbidden', messageOf('access.sessions_of_console'))
  mustComeFromUs(headers, site)
}

function mustComeFromUs(
  { origin, host }: IncomingHttpHeaders,
  { publicUrl, allowedOrigins }: SessionSite,
): void {
  if (origin === undefined || allowedOrigins.includes(origin)) return
  const from = URL.parse(origin)
  if (from && (from.origin === URL.parse(publicUrl)?.origin || from.host === host)) return
  throw new Fault('forbidden', messageOf('access.page_without_sessions'))
}

function credentialsFrom(body: unknown): { username: string; password: string } {
  // any JSON value can be read this way
  const { username, password } = (body ?? {}) as Record<string, unknown>
  if (typeof username !== 'string') throw invalid('username', messageOf('field.not_text'))
  if (typeof password !== 'string') throw invalid('password', messageOf('field.not_text'))
  return { username, password }
}
