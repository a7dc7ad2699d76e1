import { invalidInput } from '../model/invalid-input.ts'
import { type Executable } from '../graphql/execute.ts'
import { faultFrom, refusal } from '../http/faults.ts'
import { type Reply, type TextStream, jsonReply, optionsReply, textReply } from '../http/reply.ts'
import {
  type Preference,
  etagOf,
  hasTag,
  ifMatchProblems,
  parsePrefer,
  versionsIn,
} from './conditions.ts'
import { type OperationRow, acceptedBody, isInProgress, operationPath } from './operation-body.ts'
import { RequestBody, type SentBody } from './request-body.ts'
import { type QueryTable, queryTableOf, readQuery } from './request-query.ts'
import { type Matched, type RouteIndex, indexRoutes } from './route-index.ts'
import {
  type DocumentResult,
  type PageInfo,
  type RestInput,
  type RestRoute,
  type StreamSources,
  type StreamedResponse,
  canWait,
  defaultWaitSeconds,
} from './route.ts'
import { isAcceptable } from './accept.ts'
import { messageOf } from '../model/message.ts'

/** A request to /api/v1, with a function that runs a document as its caller. */
export interface RestCall {
  method: string
  url: URL
  header(name: string): string | undefined
  /**
   * Charges the request to the budget of its caller, and refuses a caller without a login. Nothing
   * else of the request is looked at before.
   */
  admit(access: Access): Promise<void>
  /** Returns undefined when the request has no body. */
  readBody(): Promise<unknown>
  sources: Omit<StreamSources, 'run'>
  /** Opens a stream within its limits, and ends it when the caller loses the permission. */
  openStream(stream: StreamedResponse, open: () => Promise<TextStream>): Promise<TextStream>
  /** Runs a document as the admitted caller. */
  run(
    executable: Executable,
    variables: Record<string, unknown>,
    options: RunOptions,
  ): Promise<DocumentResult>
}

export interface RunOptions {
  /** The REST names of fields whose name is not snake case, for refusals. */
  names: Readonly<Record<string, string>>
  /** How long a write waits for a transient refusal to end. */
  patienceSeconds: number
}

/** A route asks this of its caller. */
export interface Access {
  /** A public route does not look at the credential. */
  isPublic: boolean
}

interface Row extends Omit<RestRoute, 'query' | 'request' | 'names'> {
  executable: Executable
  /** Returns the executable of one of the row's documents. */
  compiled: (document: string) => Executable
  canWait: boolean
  query: QueryTable
  request: RequestBody
  names: Readonly<Record<string, string>>
}

/**
 * Serves the older interface from a table of documents. Each document is checked against the schema
 * and compiled at start.
 */
export function createRestHandler(
  routes: readonly RestRoute[],
  compile: (text: string) => Executable,
): (call: RestCall) => Promise<Reply> {
  for (const { stream } of routes) if (stream?.run) compile(stream.run)
  const index = indexRoutes<Row>(
    routes.map((row) => ({
      ...row,
      ...tablesOf(row),
      executable: compile(row.run),
      compiled: compile,
    })),
  )
  return async (call) => {
    const found = index.find(call.method, call.url.pathname)
    await call.admit(accessOf(found))
    if (!found)
      throw refusal('not_found', messageOf('request.nothing_in_api', { path: call.url.pathname }))
    if ('allow' in found) return optionsReply(call.method, found.allow)
    return answer(call, found)
  }
}

function accessOf(found: ReturnType<RouteIndex<Row>['find']>): Access {
  return found && 'row' in found ? { isPublic: found.row.public === true } : { isPublic: true }
}

/** A route without a body accepts an empty object. */
const noBody = new RequestBody({}, { mayBeMissing: true })

function tablesOf(row: RestRoute): Pick<Row, 'canWait' | 'query' | 'request' | 'names'> {
  const request = row.request ?? noBody
  return {
    canWait: canWait(row),
    query: queryTableOf(row.query, { isPaged: row.pageOf !== undefined }),
    request,
    names: { ...variableNames, ...request.names, ...row.names },
  }
}

/** The REST names of variables that many documents have. */
const variableNames: Readonly<Record<string, string>> = {
  after: 'cursor',
  first: 'limit',
  ifVersion: 'If-Match',
  search: 'filter',
}

async function answer(call: RestCall, { row, params }: Matched<Row>): Promise<Reply> {
  requireAcceptable(call, row)
  const input = await readInput(call, { row, params })
  if (row.stream?.isRequested(input)) return streamOf(call, row, { stream: row.stream, input })
  const preference = parsePrefer(call.header('prefer'))
  const waitSeconds = row.canWait ? secondsFor(row, input, preference) : null
  const variables = {
    ...variablesFor(row, input),
    ...(waitSeconds === null ? {} : { waitSeconds }),
  }
  const options = { names: row.names, patienceSeconds: patienceFor(row, input, preference) }
  const result = await runIfMatch(call, row, (ifVersion) =>
    call.run(row.executable, withVersion(variables, ifVersion), options),
  )
  if (!hasObject(result))
    throw refusal('not_found', messageOf('request.no_object', { path: call.url.pathname }))
  return replyOf(call, { row, result, input, preference })
}

async function streamOf(
  call: RestCall,
  row: Row,
  { stream, input }: { stream: StreamedResponse; input: RestInput },
): Promise<Reply> {
  const reply = streamingReply(row, stream, input)
  if (call.method === 'HEAD') return reply
  const sources: StreamSources = {
    ...call.sources,
    run: (document, variables) =>
      call.run(row.compiled(document), variables, { names: row.names, patienceSeconds: 0 }),
  }
  return { ...reply, stream: await call.openStream(stream, () => stream.open(input, sources)) }
}

interface Answered {
  row: Row
  result: DocumentResult
  input: RestInput
  preference: Preference
}

function replyOf(call: RestCall, { row, result, input, preference }: Answered): Reply {
  const operation = row.accepted?.operationOf(result) ?? null
  const headers = {
    ...row.headers,
    ...preferenceHeaders(row, preference),
    ...(operation && { 'operation-location': operationPath(operation) }),
  }
  return operation && isAnswered202(operation, input, preference)
    ? acceptance(operation, headers)
    : success(call, { row, result, headers })
}

type RunVersion = (ifVersion: number | null) => Promise<DocumentResult>

/** A version that no object has. */
const noVersion = 0

/**
 * Runs the document if its object has a version in `If-Match`. The mutation takes one version. Of
 * several, the refusal of the first one names the current version, which may be another one.
 */
async function runIfMatch(call: RestCall, row: Row, run: RunVersion): Promise<DocumentResult> {
  const versions = versionsIn(call.header('if-match'))
  if (versions === null) return run(null)
  if (row.method !== 'GET') return writeIfMatch(versions, run)
  const result = await run(null)
  if (hasObject(result) && row.versionOf && !versions.includes(row.versionOf(result)))
    throw refusal('version_conflict', messageOf('request.not_current'))
  return result
}

async function writeIfMatch(versions: readonly number[], run: RunVersion): Promise<DocumentResult> {
  try {
    return await run(versions[0] ?? noVersion)
  } catch (error) {
    const current = currentVersionIn(error)
    if (current === null) throw error
    if (versions.includes(current)) return run(current)
    if (versions.length > 0) throw error
    throw refusal('version_conflict', messageOf('request.no_strong_tag', { now: current }))
  }
}

/** Returns the version that a refusal names as the current one, or null. */
function currentVersionIn(error: unknown): number | null {
  const { code, userMessage } = faultFrom(error)
  const current = code === 'version_conflict' ? userMessage.params['now'] : null
  return typeof current === 'number' ? current : null
}

/** Only the first root field decides; further fields may be null. */
const hasObject = (result: DocumentResult): boolean => Object.values(result)[0] !== null

/** Adds the version to the input, which every document with `takesVersion` has. */
const withVersion = (
  variables: Record<string, unknown>,
  ifVersion: number | null,
): Record<string, unknown> =>
  ifVersion === null
    ? variables
    : // The variable `input` is an object in the document of each such row.
      { ...variables, input: { ...(variables['input'] as object), ifVersion } }

/** Reads the request, and refuses it with all problems of its query and its body. */
async function readInput(call: RestCall, { row, params }: Matched<Row>): Promise<RestInput> {
  const sent = await readSentBody(call, row)
  const query = readQuery(call.url.searchParams, row.query)
  const hasTarget =
    row.takesVersion === true || (row.method === 'GET' && row.versionOf !== undefined)
  const problems = [
    ...ifMatchProblems(call.header('if-match'), hasTarget),
    ...query.problems,
    ...row.request.problems(sent),
  ]
  if (problems.length > 0) throw invalidInput(problems)
  return {
    params,
    query: query.values,
    sent,
    body: row.request.input(sent),
    lastEventId: call.header('last-event-id') ?? null,
  }
}

async function readSentBody(call: RestCall, { method, request }: Row): Promise<SentBody> {
  const body = method === 'GET' ? {} : await call.readBody()
  if (body === undefined && request.mayBeMissing) return {}
  if (body === undefined) throw refusal('invalid_input', messageOf('request.body_missing'))
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refusal('invalid_input', messageOf('request.body_not_object'))
  // The check above ensures a plain object of unknown values.
  return body as SentBody
}

/**
 * Removes undefined variables as a GraphQL client does. A REST and a GraphQL request with one
 * idempotency key then count as the same request.
 */
function variablesFor(row: Row, input: RestInput): Record<string, unknown> {
  const variables = row.input(input)
  if (row.method === 'GET') return variables
  // JSON turns an object of plain values into such an object.
  return JSON.parse(JSON.stringify(variables)) as Record<string, unknown>
}

/**
 * Refuses an unacceptable media type before the document runs, because a mutation would still take
 * effect. Clients of the older interface accept JSON for all responses.
 */
function requireAcceptable(call: RestCall, { media }: Row): void {
  const types = ['application/json', ...(media ?? [])]
  if (!isAcceptable(call.header('accept'), types))
    throw refusal(
      'not_acceptable',
      messageOf('request.answer_unwelcome', { type: types.at(-1) ?? '' }),
    )
}

/** Returns the beginning of a stream that proxies neither cache nor buffer. */
const streamingReply = (
  { media: [usual] = ['text/plain'], headers }: Row,
  { mediaFor, headersFor }: StreamedResponse,
  input: RestInput,
): Reply => ({
  status: 200,
  headers: {
    ...headers,
    ...headersFor?.(input),
    'content-type': `${mediaFor?.(input) ?? usual}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  },
  body: '',
})

/** True when the body asks for the operation, as clients of the older interface do. */
const isLater = ({ sent }: RestInput): boolean => sent['async'] === true

function secondsFor(
  { defaultWaitSeconds }: Row,
  input: RestInput,
  { waitSeconds, isAsync }: Preference,
): number | null {
  if (waitSeconds !== null) return waitSeconds
  return isAsync || isLater(input) ? null : (defaultWaitSeconds ?? null)
}

/**
 * Clients of the older interface continue as soon as a request is answered, so each write waits for
 * what the former requests still change.
 */
function patienceFor(
  { method }: Row,
  input: RestInput,
  { waitSeconds, isAsync }: Preference,
): number {
  if (method === 'GET') return 0
  if (waitSeconds !== null) return waitSeconds
  return isAsync || isLater(input) ? 0 : defaultWaitSeconds
}

const preferenceHeaders = ({ canWait }: Row, { waitSeconds }: Preference): Reply['headers'] =>
  canWait && waitSeconds !== null ? { 'preference-applied': `wait=${waitSeconds}` } : {}

/** True when the caller gets the operation, and not the object. */
const isAnswered202 = (
  operation: OperationRow,
  input: RestInput,
  { isAsync }: Preference,
): boolean => isLater(input) || (isAsync && isInProgress(operation))

const acceptance = (operation: OperationRow, headers: Reply['headers']): Reply =>
  jsonReply(202, acceptedBody(operation), {
    ...headers,
    location: operationPath(operation),
    'retry-after': '1',
  })

interface Success {
  row: Row
  result: DocumentResult
  headers: Reply['headers']
}

function success(call: RestCall, { row, result, headers }: Success): Reply {
  if (row.status === 204) return { status: 204, headers, body: '' }
  const etag: Reply['headers'] = row.versionOf ? { etag: etagOf(row.versionOf(result)) } : {}
  if (row.method === 'GET' && hasTag(call.header('if-none-match'), String(etag['etag'])))
    return { status: 304, headers: { ...headers, ...etag }, body: '' }
  const output = row.output(result)
  if (row.media) return textReply(row.status, String(output), `${row.media[0]}; charset=utf-8`)
  return jsonReply(row.status, output, {
    ...headers,
    ...etag,
    ...locationOf(row, output),
    ...nextLink(call.url, row.pageOf?.(result) ?? null),
  })
}

/** The created object is the first field of the response. */
function locationOf({ created }: Row, output: unknown): Reply['headers'] {
  if (!created) return {}
  // The response of each row with `created` is an object of objects.
  const [object = {}] = Object.values(output as Record<string, Record<string, unknown>>)
  const location = created.replace(/\{(\w+)\}/, (_, field: string) =>
    encodeURIComponent(String(object[field])),
  )
  return { location }
}

function nextLink(url: URL, page: PageInfo | null): Reply['headers'] {
  if (!page?.hasNextPage || page.endCursor === null) return {}
  const query = new URLSearchParams(url.search)
  query.delete('cursor')
  // A cursor contains only characters that need no escaping in a URL.
  const before = query.size > 0 ? `${query.toString()}&` : ''
  return { link: `<${url.pathname}?${before}cursor=${page.endCursor}>; rel="next"` }
}
