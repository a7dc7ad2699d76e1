import { type ApolloServer } from '@apollo/server'
import { type GraphQLSchema } from 'graphql'
import { Fault } from '../domain/fault.ts'
import { type Viewer } from '../domain/identity/viewer.ts'
import { type Berth } from '../usecases/berth.ts'
import { parseJson, readText } from './body.ts'
import { type Executable, compileText } from './execute.ts'
import { extensionsFrom, faultFrom, faultTable, retryHeaders } from './faults.ts'
import { serveGraph } from './graph.ts'
import { type GraphRequest } from './graphql/context.ts'
import { type Door, type Visit } from './http.ts'
import { type Reply, jsonReply, textReply } from './reply.ts'
import { openApiDocument } from './rest/openapi.ts'
import { restOn } from './rest/rest.ts'
import { type Answer } from './rest/route.ts'

export interface Identify {
  viewerOf(headers: Visit['request']['headers'], url: URL): Promise<Viewer>
}

export interface Site {
  berth: Berth
  hub: GraphRequest['hub']
  identity: GraphRequest['identity']
  identify: Identify
  pageCap: number
}

/** A visit, or an operation on a socket, which has its headers from the first message. */
type Asking = Pick<Visit, 'url' | 'requestId' | 'address'> & { request: Pick<Visit['request'], 'headers'> }

/** The request as resolvers see it. */
export async function graphRequest(visit: Asking, site: Site): Promise<GraphRequest> {
  const { headers } = visit.request
  const key = headers['idempotency-key']
  if (typeof key === 'string' && (key.length < 1 || key.length > 200)) throw new Fault('invalid_input', 'Idempotency-Key must have 1 to 200 characters.')
  return {
    berth: site.berth,
    hub: site.hub,
    identity: site.identity,
    viewer: await site.identify.viewerOf(headers, visit.url),
    requestId: visit.requestId,
    address: visit.address,
    userAgent: String(headers['user-agent'] ?? '').slice(0, 200),
    idempotencyKey: typeof key === 'string' ? key : null,
    pageCap: site.pageCap,
  }
}


export function graphDoor(apollo: ApolloServer<GraphRequest>, site: Site): Door {
  return async (visit) => {
    if (visit.url.pathname !== '/graphql') return null
    const { request, method, url } = visit
    const refused = (error: unknown): Reply => graphRefusal(faultFrom(error), visit.requestId)
    const context = await graphRequest(visit, site).catch(refused)
    if ('status' in context) return context
    const body = method === 'POST' ? graphBody(request.headers['content-type'], await readText(request)) : undefined
    return serveGraph(apollo, { method, headers: request.headers, search: url.search, body }, context)
  }
}

/** A caller who is refused at the door speaks GraphQL and gets the refusal in that shape. */
function graphRefusal(fault: Fault, requestId: string): Reply {
  const { status } = faultTable[fault.code]
  return jsonReply(status, { errors: [{ message: fault.message, extensions: extensionsFrom(fault, requestId) }] }, retryHeaders(fault))
}

/** Only JSON is parsed; Apollo refuses every other content type itself. */
function graphBody(contentType: string | undefined, text: string): unknown {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json' ? parseJson(text) : text
}

const restCap = 10_000

export function restDoor(schema: GraphQLSchema, site: Site): Door {
  const rest = restOn((text) => compileText(schema, text))
  return async (visit) => {
    if (!visit.url.pathname.startsWith('/api/')) return null
    const { method, url } = visit
    const run = async (executable: Executable, variables: Record<string, unknown>): Promise<Answer> => {
      const context = await graphRequest(visit, { ...site, pageCap: restCap })
      const { data, errors } = await executable.run(context, variables)
      const [failed] = errors ?? []
      if (failed) throw failed
      return data ?? {}
    }
    return rest({ method, url, run, readBody: async () => parseJson(await readText(visit.request)) })
  }
}

export function openApiDoor(version: string): Door {
  const document = jsonReply(200, openApiDocument(version), { 'cache-control': 'no-cache' })
  return ({ url, method }) => (url.pathname === '/api/v1/openapi.json' && (method === 'GET' || method === 'HEAD') ? document : null)
}

export interface Health {
  /** Null when everything needed to serve is there; otherwise what is missing. */
  notReady(): Promise<string | null>
  metrics(): Promise<{ type: string; text: string }>
}

export function healthDoor(health: Health): Door {
  return async ({ url, method }) => {
    if (method !== 'GET' && method !== 'HEAD') return null
    switch (url.pathname) {
      case '/healthz':
        return textReply(200, 'ok\n')
      case '/health':
        return jsonReply(200, { status: 'ok', service: 'berth', hypervisor: 'kubevirt' })
      case '/readyz': {
        const missing = await health.notReady()
        return missing === null ? textReply(200, 'ready\n') : textReply(503, `not ready: ${missing}\n`)
      }
      case '/metrics': {
        const { type, text } = await health.metrics()
        return textReply(200, text, type)
      }
      default:
        return null
    }
  }
}

export function consoleDoor(page: (path: string) => ReturnType<typeof textReply> | null): Door {
  return ({ url, method }) => (method === 'GET' || method === 'HEAD' ? page(url.pathname) : null)
}
