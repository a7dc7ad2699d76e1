import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { queryTableOf, readQuery } from '../../../server/src/engine/rest/request-query.ts'
import { type RestInput, type RestRoute } from '../../../server/src/engine/rest/route.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import {
  type RouteFixture,
  type FixtureContext,
  fixtureOf,
  routeFixtures,
} from '../../support/requests/request-fixtures.ts'
import {
  type Client,
  type GraphAnswer,
  type WireAnswer,
} from '../../support/clients/http-client.ts'
import { aWorld } from '../../support/world/world.ts'

/*
 * Sends each request over both interfaces, for every row of the table. REST receives it as a client
 * would send it. GraphQL receives the row's document with the variables that the row derives from
 * that request. Anything that a row adds to its document shows as a difference.
 */
let context: FixtureContext
beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  context = { world, tenant: await world.tenant('acme') }
})

type SampleRequest = Awaited<ReturnType<RouteFixture['arrange']>> & { client: Client }

/**
 * Fields that change between two reads, and the secrets and the expiry of a login. Only their types
 * are compared.
 */
const volatileFields = [
  'state',
  'phase',
  'status',
  'progress',
  'used',
  'version',
  'updated_at',
  'token',
  'expires_at',
  'secret',
  'url',
  'recovery_codes',
]

/** Returns the value after a JSON round trip, so that dropped fields are not compared. */
const settled = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value), (name, child: unknown) =>
    volatileFields.includes(name) ? typeof child : child,
  )

function inputOf(row: RestRoute, { path, body = {} }: SampleRequest): RestInput {
  const { pathname, searchParams } = new URL(`/api/v1${path}`, 'http://localhost')
  const names = row.path.split('/')
  const params = Object.fromEntries(
    pathname
      .split('/')
      .flatMap((part, at) =>
        names[at]?.startsWith('{') ? [[names[at].slice(1, -1), decodeURIComponent(part)]] : [],
      ),
  )
  const table = queryTableOf(row.query, { isPaged: row.pageOf !== undefined })
  return {
    params,
    query: readQuery(searchParams, table).values,
    sent: body,
    body: row.request?.input(body) ?? {},
    lastEventId: null,
  }
}

async function overGraphql(
  row: RestRoute,
  request: SampleRequest,
  headers = {},
): Promise<GraphAnswer> {
  const wait = row.defaultWaitSeconds === undefined ? {} : { waitSeconds: row.defaultWaitSeconds }
  return request.client.graphql(row.run, { ...row.input(inputOf(row, request)), ...wait }, headers)
}

/** The event stream follows the change log, and an export is many pages of a query. */
const incomparable = ['/api/v1/events', '/api/v1/audit-exports']
const rows = restRoutes.filter(({ path }) => !incomparable.includes(path))

test('all routes but the event stream and exports are compared with their GraphQL document', () => {
  expect(restRoutes.filter((row) => !rows.includes(row)).map(({ path }) => path)).toEqual(
    incomparable,
  )
})

const named = (row: RestRoute): [string, RestRoute] => [`${row.method} ${row.path}`, row]
const fixtureFor = (row: RestRoute): RouteFixture =>
  routeFixtures[`${row.method} ${row.path}`] ?? expect.unreachable(row.path)

/** Arranges a request. Its client is one of its own where the request ends the login. */
async function sampleOf(row: RestRoute): Promise<SampleRequest> {
  const own = { ...context }
  const request = await fixtureFor(row).arrange(own)
  return { ...request, client: fixtureOf.caller(fixtureFor(row), own) }
}

const ask = (
  row: RestRoute,
  { path, body, client }: SampleRequest,
  headers = {},
): Promise<WireAnswer> => client.rest(row.method, path, body ? { body, headers } : { headers })

interface Answers {
  rest: unknown
  graphql: unknown
}

/**
 * Returns the answers of both interfaces. A mutation runs once: with the same idempotency key the
 * second request replays the first answer. A request that ends its login cannot be replayed.
 */
async function answersTo(row: RestRoute, request: SampleRequest): Promise<Answers> {
  const key = row.method === 'GET' ? {} : { 'idempotency-key': randomUUID() }
  const { status, body, text } = await ask(row, request, key)
  const again = fixtureFor(row).by === 'self' ? await sampleOf(row) : request
  const { code, data } = await overGraphql(row, again, key)
  expect([status, code]).toEqual([fixtureFor(row).status, null])
  const output = row.output(data)
  if (status === 204) return { rest: text, graphql: '' }
  return row.media
    ? { rest: text, graphql: String(output) }
    : { rest: settled(body), graphql: settled(output) }
}

async function expectSameRefusal(row: RestRoute, request: SampleRequest): Promise<void> {
  const absent = { ...request, path: fixtureOf.absent(named(row)[0], request.path) }
  const [overRest, overGraph] = [await ask(row, absent), await overGraphql(row, absent)]
  expect(overRest.status).toBe(404)
  const [error] = overGraph.body.errors ?? []
  // A query for one object is null over GraphQL and 404 over REST.
  if (!error)
    return expect([Object.values(overGraph.data)[0], overRest.body.code]).toEqual([
      null,
      'not_found',
    ])
  const { detail, code, remedy } = overRest.body
  expect([detail, code, remedy]).toEqual([
    error.message,
    error.extensions.code,
    error.extensions.remedy,
  ])
}

const reads = rows.filter(({ method }) => method === 'GET')
test.each(reads.map(named))(
  '%s answers and refuses like its GraphQL document',
  async (_name, row) => {
    const request = await sampleOf(row)
    if (row.path.includes('{')) await expectSameRefusal(row, request)
    // The object may change between the two reads, so the comparison is repeated.
    const compared = async (): Promise<Answers | null> => {
      const answers = await answersTo(row, request)
      return isDeepStrictEqual(answers.rest, answers.graphql) ? null : answers
    }
    await expect.poll(compared, { timeout: 20_000 }).toBeNull()
  },
)

const changes = rows.filter(({ method }) => method !== 'GET')
test.concurrent.each(changes.map(named))(
  '%s answers and refuses like its GraphQL document',
  async (_name, row) => {
    const request = await sampleOf(row)
    if (row.path.includes('{')) await expectSameRefusal(row, request)
    const { rest, graphql } = await answersTo(row, request)
    expect(rest).toEqual(graphql)
  },
)
