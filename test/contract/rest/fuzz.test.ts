import { beforeAll, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { type RestRoute } from '../../../server/src/engine/rest/route.ts'
import { type Schema } from '../../../server/src/engine/rest/json-schema.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { make, routeFixtures } from '../../support/requests/request-fixtures.ts'
import { type Client, type WireAnswer } from '../../support/clients/http-client.ts'
import { violations } from '../../support/requests/json-schema.ts'
import {
  type World,
  type WorldTenant,
  adminPassword,
  aWorld,
  unique,
} from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'
import { fc } from '../../support/property-testing.ts'

/*
 * Sends requests that the OpenAPI document allows and requests that it does not. Every answer must
 * match the document.
 */
let world: World
let tenant: WorldTenant
let callers: Client[]
let document: Json
/** The names and ids of existing objects, for fields that expect one. */
let present: string[]
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  const context = { world, tenant }
  document = (await world.anonymous.rest('GET', '/openapi.json')).body
  callers = [tenant.admin, world.root.with({ 'x-tenant-id': tenant.id })]
  const made = [
    await make.vm(context),
    await make.volume(context),
    await make.vpc(context),
    await make.network(context),
    await make.securityGroup(context),
  ]
  const madeLater = [
    await make.template(context),
    await make.sshKey(context),
    await make.role(context),
    await make.user(context),
  ]
  present = [...made, ...madeLater].flatMap(({ id, name = [] }) => [id, name]).flat()
})

const hostile = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../..',
  "' or 1=1 --",
  '__proto__',
  'ünïcödé ☃',
  'x'.repeat(5_000),
  '0',
  '-1',
  '1e400',
  '10.0.0.0/8',
  '::/0',
)
const texts = fc.oneof(
  hostile,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uuid(),
  fc.constant('present'),
)
const wild = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, {}, [], [[]], [null], 1.5, -1, 2 ** 53, 1e308),
  fc.integer(),
  texts,
  fc.array(texts, { maxLength: 3 }),
  fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), { maxKeys: 3 }),
)

/** Generates values of the schema's type. */
function allowed(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const kinds: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
    array: () => fc.array(allowed(schema.items ?? {}), { maxLength: 3 }),
    boolean: () => fc.boolean(),
    integer: () => fc.oneof(fc.integer({ min: -2, max: 40 }), fc.integer()),
    object: () => bodies(schema),
    string: () => texts,
  }
  return kinds[String(schema.type)]?.() ?? wild
}

/** Generates mostly valid fields, sometimes wild values, and sometimes omits required fields. */
const bodies = ({ properties = {} }: Schema): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        fc.oneof({ weight: 6, arbitrary: allowed(schema) }, { weight: 1, arbitrary: wild }),
      ]),
    ),
    { requiredKeys: [], noNullPrototype: true },
  )

interface FuzzRequest {
  path: string[]
  query: Record<string, string>
  body: unknown
  headers: Record<string, string>
  caller: number
}

/** Values of Accept that match no media type of an answer. */
const unacceptable = ['text/html', 'application/json;q=0']

/** Texts that are not JSON, under any content type. */
const noJson = fc
  .constantFrom('<vm/>', 'name=a&cpu=1', '--b', '{"name":')
  .map((raw) => new Raw(raw))
class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const headers = fc.record(
  {
    accept: fc.constantFrom(
      '*/*',
      'application/json',
      'application/json',
      ...unacceptable,
      'nonsense',
    ),
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
    ),
    'if-match': fc.constantFrom('*', '"1"', '"999999"', 'W/"x"', ''),
    prefer: fc.constantFrom('respond-async', 'wait=0', 'wait=x', 'return=minimal'),
    'idempotency-key': fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }),
    'last-event-id': fc.constantFrom('', '1', 'nonsense'),
  },
  { requiredKeys: [] },
)

const requestOf = (row: RestRoute): fc.Arbitrary<FuzzRequest> =>
  fc.record({
    path: fc.array(texts, { minLength: 3, maxLength: 3 }),
    query: fc.dictionary(
      fc.constantFrom('limit', 'cursor', 'filter', 'sort', ...Object.keys(row.query ?? {})),
      texts,
      { maxKeys: 3 },
    ),
    body: row.request
      ? fc.oneof(
          { weight: 9, arbitrary: bodies(row.request.schema) },
          { weight: 1, arbitrary: wild },
          { weight: 1, arbitrary: noJson },
        )
      : fc.constant(undefined),
    headers,
    caller: fc.nat(1),
  })

/** Replaces the text `present` with the name or id of an existing object. */
function withPresent(value: unknown, at: number): unknown {
  if (value === 'present') return present[at % present.length]
  if (Array.isArray(value)) return value.map((each) => withPresent(each, at))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, child], index) => [name, withPresent(child, at + index)]),
  )
}

/** Returns a client whose login the route may end. */
async function aNewLogin(): Promise<Client> {
  const username = unique('fuzz')
  await tenant.admin.rest('POST', '/users', { body: { username, password: adminPassword } })
  return world.login(username, adminPassword)
}

/** Sends the request without waiting. The routes leave the tenant and its callers in place. */
async function ask(
  row: RestRoute,
  { path, query, body, headers: sent, caller }: FuzzRequest,
  at: number,
): Promise<WireAnswer> {
  const parts = [...path]
  const filled = row.path.replaceAll(
    /\{\w+\}/g,
    () => encodeURIComponent(String(withPresent(parts.pop() ?? '', at)).toWellFormed()) || 'x',
  )
  const search = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
  )
  const endsLogin = routeFixtures[`${row.method} ${row.path}`]?.by === 'self'
  const client = endsLogin ? await aNewLogin() : (callers[caller] ?? world.anonymous)
  return client.rest(row.method, search.length === 0 ? filled : `${filled}?${search.join('&')}`, {
    ...(body === undefined
      ? {}
      : { body: body instanceof Raw ? body.text : JSON.stringify(withPresent(body, at)) }),
    headers: { prefer: 'wait=0', ...sent },
  })
}

/**
 * The status that an unacceptable Accept header or a body without JSON requires; null when neither
 * applies.
 */
function requiredStatus({
  headers: { accept, 'content-type': type = 'application/json' },
  body,
}: FuzzRequest): 406 | 415 | null {
  if (unacceptable.includes(accept ?? '')) return 406
  return body instanceof Raw && type !== 'application/json' ? 415 : null
}

function wrongNegotiation(request: FuzzRequest, { status, text }: WireAnswer): string[] {
  const required = requiredStatus(request)
  const isNegotiation = [status, required].some((each) => each === 406 || each === 415)
  return isNegotiation && status !== required
    ? [`${status} instead of ${required ?? 'another'}: ${text.slice(0, 300)}`]
    : []
}

function complaints(
  row: RestRoute,
  { status, headers: received, body, text }: WireAnswer,
): string[] {
  const { responses } = document.paths[row.path][row.method.toLowerCase()]
  const documented = responses[status]
  if (!documented) return [`${status} is not in the document: ${text.slice(0, 300)}`]
  if (status >= 500 && status !== 503)
    return [
      `${status}: ${text.slice(0, 300)}`,
      ...world.logged.filter((line) => line.includes(body.request_id)),
    ]
  const [type = '', content] = Object.entries<Json>(documented.content ?? {})[0] ?? []
  if (!content) return text === '' ? [] : ['an answer where none is documented']
  const isType = String(received['content-type']).startsWith(type)
  return [
    ...ofCode(documented, body),
    ...(isType
      ? ofContent(type, content.schema, body)
      : [`${String(received['content-type'])} is not ${type}`]),
  ]
}

const ofCode = ({ 'x-codes': codes }: Json, body: Json): string[] =>
  !codes || codes.includes(body.code) ? [] : [`the code ${body.code} is not in the document`]

const ofContent = (type: string, schema: Json, body: Json): string[] =>
  type.endsWith('json') ? violations(schema, body, { document }) : []

test.each(restRoutes.map((row) => [`${row.method} ${row.path}`, row] as const))(
  '%s answers only as its document allows',
  async (_name, row) => {
    let at = 0
    await fc.assert(
      fc.asyncProperty(requestOf(row), async (request) => {
        const answer = await ask(row, request, at++)
        expect([...wrongNegotiation(request, answer), ...complaints(row, answer)]).toEqual([])
      }),
      { numRuns: 40, endOnFailure: true },
    )
  },
)
