import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { type RestInput, type RestRoute } from '../../../server/src/engine/rest/route.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type Act, type Place, actOf, acts } from '../../support/requests/request-fixtures.ts'
import { type GraphAnswer, type WireAnswer } from '../../support/clients/http-client.ts'
import { aWorld } from '../../support/world/world.ts'

/*
 * The same act over both interfaces, for every row of the table: REST is asked as a client would
 * ask it, and GraphQL with the row's own document and the variables that the row makes of that
 * request. What a row adds to its document would show as a difference.
 */
let place: Place
beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).order('pace', { factor: 0.05 })
  place = { world, tenant: await world.tenant('acme') }
})

type Asked = Awaited<ReturnType<Act['arrange']>>

/**
 * What differs from moment to moment says nothing, and neither do what a login draws and when it
 * ends.
 */
const ofTheMoment = [
  'state',
  'phase',
  'status',
  'progress',
  'version',
  'updated_at',
  'token',
  'expires_at',
]

/** As it is sent, so that what JSON drops is not judged. */
const settled = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value), (name, child: unknown) =>
    ofTheMoment.includes(name) ? typeof child : child,
  )

function inputOf(row: RestRoute, { path, body = {} }: Asked): RestInput {
  const { pathname, searchParams } = new URL(`/api/v1${path}`, 'http://localhost')
  const names = row.path.split('/')
  const params = Object.fromEntries(
    pathname
      .split('/')
      .flatMap((part, at) =>
        names[at]?.startsWith('{') ? [[names[at].slice(1, -1), decodeURIComponent(part)]] : [],
      ),
  )
  return { params, query: searchParams, body, lastEventId: null, ifVersion: null }
}

async function overGraphql(row: RestRoute, asked: Asked, headers = {}): Promise<GraphAnswer> {
  const wait = row.patienceSeconds === undefined ? {} : { waitSeconds: row.patienceSeconds }
  return actOf
    .caller(actOn(row), place)
    .graphql(row.run, { ...row.input(inputOf(row, asked)), ...wait }, headers)
}

// What is told there is the log of changes, and no document of its own.
const rows = restRoutes.filter(({ media }) => media !== 'text/event-stream')

test('only the stream of events is no document', () => {
  expect(restRoutes.filter((row) => !rows.includes(row)).map(({ path }) => path)).toEqual([
    '/api/v1/events',
  ])
})

const named = (row: RestRoute): [string, RestRoute] => [`${row.method} ${row.path}`, row]
const actOn = (row: RestRoute): Act =>
  acts[`${row.method} ${row.path}`] ?? expect.unreachable(row.path)
const ask = (row: RestRoute, { path, body }: Asked, headers = {}): Promise<WireAnswer> =>
  actOf.caller(actOn(row), place).rest(row.method, path, body ? { body, headers } : { headers })

interface Answers {
  rest: unknown
  graphql: unknown
}

/**
 * What both say of the act. A change is made once: under one key the second is answered with the
 * first, if the two are the same act.
 */
async function answersTo(row: RestRoute, asked: Asked): Promise<Answers> {
  const key = row.method === 'GET' ? {} : { 'idempotency-key': randomUUID() }
  const [{ status, body, text }, { code, data }] = [
    await ask(row, asked, key),
    await overGraphql(row, asked, key),
  ]
  expect([status, code]).toEqual([actOn(row).status, null])
  const output = row.output(data)
  if (status === 204) return { rest: text, graphql: '' }
  return row.media
    ? { rest: text, graphql: String(output) }
    : { rest: settled(body), graphql: settled(output) }
}

async function mustRefuseAlike(row: RestRoute, asked: Asked): Promise<void> {
  const absent = { ...asked, path: actOf.absent(named(row)[0], asked.path) }
  const [overRest, overGraph] = [await ask(row, absent), await overGraphql(row, absent)]
  expect(overRest.status).toBe(404)
  const [error] = overGraph.body.errors ?? []
  // A query of one thing is null over GraphQL where it is 404 here.
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
test.each(reads.map(named))('%s answers and refuses what its document does', async (_name, row) => {
  const asked = await actOn(row).arrange(place)
  if (row.path.includes('{')) await mustRefuseAlike(row, asked)
  // What is asked about may change between the two.
  const compared = async (): Promise<Answers | null> => {
    const answers = await answersTo(row, asked)
    return isDeepStrictEqual(answers.rest, answers.graphql) ? null : answers
  }
  await expect.poll(compared, { timeout: 20_000 }).toBeNull()
})

const changes = rows.filter(({ method }) => method !== 'GET')
test.concurrent.each(changes.map(named))(
  '%s answers and refuses what its document does',
  async (_name, row) => {
    const asked = await actOn(row).arrange(place)
    if (row.path.includes('{')) await mustRefuseAlike(row, asked)
    const { rest, graphql } = await answersTo(row, asked)
    expect(rest).toEqual(graphql)
  },
)
