import { type Executable } from '../execute.ts'
import { refusal } from '../faults.ts'
import { type Reply, jsonReply } from '../reply.ts'
import { type Matched, indexRoutes } from './match.ts'
import { type Answer, type RestRoute } from './route.ts'
import { restRoutes } from './routes.ts'

/** A request to /api/v1, and the way to run a document as its caller. */
export interface RestCall {
  method: string
  url: URL
  readBody(): Promise<unknown>
  run(executable: Executable, variables: Record<string, unknown>): Promise<Answer>
}

interface Row extends RestRoute {
  executable: Executable
}

/** The older interface as a table of documents; each is checked against the schema and compiled here, at start. */
export function restOn(compile: (text: string) => Executable): (call: RestCall) => Promise<Reply> {
  const index = indexRoutes<Row>(restRoutes.map((row) => ({ ...row, executable: compile(row.run) })))
  return async (call) => {
    const found = index.find(call.method, call.url.pathname)
    if (!found) throw refusal('not_found', `There is nothing at ${call.url.pathname}; see /api/v1/openapi.json for what there is.`)
    if ('allow' in found) return refuseMethod(call.method, found.allow)
    return answer(call, found)
  }
}

export class MethodRefused extends Error {
  readonly allow: readonly string[]

  constructor(method: string, allow: readonly string[]) {
    super(`${method} is not possible here; use ${allow.join(' or ')}.`)
    this.name = 'MethodRefused'
    this.allow = allow
  }
}

function refuseMethod(method: string, allow: readonly string[]): never {
  throw new MethodRefused(method, allow)
}

async function answer(call: RestCall, { row, params }: Matched<Row>): Promise<Reply> {
  const body = row.request ? objectBody(await call.readBody()) : {}
  const given = await call.run(row.executable, row.input({ params, query: call.url.searchParams, body }))
  if (Object.values(given).includes(null)) throw refusal('not_found', `${row.tag} not found: ${Object.values(params).join(' ')}`)
  if (row.status === 204) return { status: 204, headers: {}, body: '' }
  return jsonReply(row.status, row.output(given), { ...row.headers, ...nextLink(call.url, row.pageOf?.(given) ?? null) })
}

function objectBody(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refusal('invalid_input', 'The body must be a JSON object.')
  // Checked just above: a plain object of unknown values.
  return body as Record<string, unknown>
}

function nextLink(url: URL, page: { endCursor: string | null; hasNextPage: boolean } | null): Reply['headers'] {
  if (!page?.hasNextPage || page.endCursor === null) return {}
  const query = new URLSearchParams(url.search)
  query.delete('cursor')
  // A cursor is made of letters that an address takes as they are.
  const before = query.size > 0 ? `${query.toString()}&` : ''
  return { link: `<${url.pathname}?${before}cursor=${page.endCursor}>; rel="next"` }
}
