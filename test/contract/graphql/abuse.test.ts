import { afterAll, beforeAll, expect, test } from 'vitest'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type GraphWorld, aGraphWorld } from '../../support/world/graphql-world.ts'

let world: GraphWorld
let open: GraphWorld
beforeAll(async () => {
  world = await aGraphWorld({ limits: { messageBurst: 10_000 } })
  open = await aGraphWorld({ introspection: true, limits: { messageBurst: 10_000 } })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await open[Symbol.asyncDispose]()
})

interface Answer {
  data?: unknown
  errors: { message: string; extensions: Record<string, unknown> }[]
}

/** Sends the same document over HTTP and over the socket. */
async function throughBoth(
  query: string,
  { at = world, variables = {} }: { at?: GraphWorld; variables?: Record<string, unknown> } = {},
): Promise<Answer[]> {
  const peer = await GraphqlSocketClient.login(at.url)
  const overSocket = await peer.ask(query, variables)
  peer.leave()
  return [(await at.post({ query, variables })).json as Answer, overSocket]
}

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ')
const mutation = (index: number): string =>
  `m${index}: createServiceOffering(input: { name: "never-${index}", displayName: "x", cpu: 1, memoryMi: 1024 }) { serviceOffering { id } }`
const login = (index: number): string =>
  `l${index}: login(input: { username: "x", password: "x" }) { token }`
const bomb = (levels: number): string =>
  `${repeat(levels, (n) => `fragment f${n} on Platform { ...f${n + 1} ...f${n + 1} }`)} fragment f${levels} on Platform { name }`

test.each<[string, string]>([
  ['deep nesting', `{ __type(name: "X") ${'{ ofType '.repeat(20)}{ name }${' }'.repeat(20)} }`],
  [
    '2,600 aliases of a list',
    `{${repeat(2_600, (n) => `a${n}:tenants{nodes{id}}`).replaceAll('} a', '}a')}}`,
  ],
  ['51 aliases', `{ ${repeat(51, (n) => `a${n}: __typename`)} }`],
  [
    'aliases by fragments',
    `{ platform { ...f } } fragment f on Platform { ${repeat(26, (n) => `a${n}: name`)} ...g } fragment g on Platform { ${repeat(26, (n) => `b${n}: name`)} }`,
  ],
  ['a fragment that spreads itself', '{ platform { ...f } } fragment f on Platform { name ...f }'],
  [
    'fragments that spread each other',
    '{ platform { ...f } } fragment f on Platform { ...g } fragment g on Platform { ...f }',
  ],
  ['a fragment bomb', `{ platform { ...f0 } } ${bomb(30)}`],
  ['51 directives', `{ platform { ${repeat(51, () => '... @include(if: true) { name }')} } }`],
  ['a thousand fields', `{ platform { ${repeat(1_100, () => 'name')} } }`],
  [
    'too many rows at once',
    `{ ${repeat(28, (n) => `a${n}: tenants(first: 200) { nodes { id name refusals { delete } } }`)} }`,
  ],
  [
    'too many rows behind a negative page size',
    `{ cheap: tenants(first: -2000000000) { nodes { id } } ${repeat(28, (n) => `a${n}: tenants(first: 200) { nodes { id name refusals { delete } } }`)} }`,
  ],
  ['six mutations', `mutation { ${repeat(6, mutation)} }`],
  [
    'six mutations in fragments',
    `mutation { ...a ... on Mutation { ${repeat(3, mutation)} } } fragment a on Mutation { ${repeat(3, (n) => mutation(n + 3))} }`,
  ],
  ['two logins', `mutation { ${repeat(2, login)} }`],
  [
    'two logins in fragments',
    `mutation { ...a ... { ${login(1)} } } fragment a on Mutation { ${login(0)} }`,
  ],
  ['introspection', '{ __schema { types { name } } }'],
  ['introspection of one type', '{ __type(name: "Query") { fields { name } } }'],
  ['a document with a syntax error', '{ platform { name }'],
  ['an unknown field', '{ platfrom { name } }'],
  [
    'a document with several operations and no operation name',
    'query a { platform { name } } query b { platform { name } }',
  ],
])('%s is refused over HTTP and over the socket before anything runs', async (_, query) => {
  const before = world.logged.length
  for (const { data, errors } of await throughBoth(query)) {
    expect(data).toBeFalsy()
    expect(errors.length).toBeGreaterThan(0)
    for (const { message, extensions } of errors) {
      expect(extensions).toMatchObject({
        code: 'query_refused',
        fields: [],
        remedy: expect.any(String),
        requestId: expect.stringMatching(/./),
      })
      expect(Object.keys(extensions).sort()).toEqual(['code', 'fields', 'remedy', 'requestId'])
      expect(message).not.toMatch(/Did you mean/)
    }
  }
  expect(world.logged.slice(before), 'a refusal is not logged as a bug').toEqual([])
  expect(
    await world.database.sql(`select 1 from service_offering where name like 'never%'`),
  ).toEqual([])
  expect(await world.database.sql(`select 1 from audit_event`)).toEqual([])
})

test('a misspelt field gets a suggestion only when introspection is enabled', async () => {
  for (const { errors } of await throughBoth('{ platfrom { name } }', { at: open }))
    expect(errors[0]?.message).toContain('Did you mean "platform"')
  for (const { errors } of await throughBoth('{ platfrom { name } }'))
    expect(errors[0]?.message).toBe('Cannot query field "platfrom" on type "Query".')
})

test('nested introspection stays bounded even when introspection is enabled', async () => {
  const deep = `{ __schema { types ${'{ fields { type '.repeat(6)} { name } ${' } }'.repeat(6)} } }`
  for (const { errors } of await throughBoth(deep, { at: open }))
    expect(errors[0]?.extensions.code).toBe('query_refused')
})

test.each<[string, Record<string, unknown>]>([
  ['of the wrong type', { filter: { state: 5 } }],
  ['outside the enumeration', { filter: { state: 'actve' } }],
  ['with an unknown field', { filter: { stat: 'active' } }],
  ['not an object', { filter: 'active' }],
])(
  'a variable that is %s is invalid input, and its message does not suggest names of the schema',
  async (_, variables) => {
    const before = world.logged.length
    for (const { errors } of await throughBoth(
      'query ($filter: TenantFilter) { tenants(filter: $filter) { nodes { id } } }',
      {
        variables,
      },
    )) {
      expect(errors[0]?.extensions).toMatchObject({
        code: 'invalid_input',
        requestId: expect.stringMatching(/./),
      })
      expect(errors[0]?.message).toMatch(/^Variable "\$(filter|state)"/)
      expect(errors[0]?.message).not.toMatch(/Did you mean/)
    }
    expect(world.logged.slice(before)).toEqual([])
  },
)

test('a refusal has the same text over HTTP and over the socket', async () => {
  const answers = await throughBoth(
    'mutation { deleteServiceOffering(input: { id: "00000000-0000-4000-8000-00000000ffff" }) { serviceOffering { id } } }',
  )
  const [http, socket] = answers.map(({ errors }) =>
    errors.map((error) => ({ ...error, extensions: { ...error.extensions, requestId: '' } })),
  )
  expect(http?.[0]?.extensions).toMatchObject({ code: 'not_found' })
  expect(socket).toEqual(http)
})

test('an internal error reveals only a request id that is also in the log', async () => {
  await using broken = await aGraphWorld()
  await broken.database.sql('alter table service_offering rename column cpu to cpus')
  for (const { errors } of await throughBoth('{ serviceOfferings { nodes { id cpu } } }', {
    at: broken,
  })) {
    const [error] = errors
    expect(error?.extensions.code).toBe('internal')
    expect(JSON.stringify(errors)).not.toMatch(
      /select|column "|cpu"? does|\.ts|node_modules|postgres|127\.0\.0\.1|\/tmp/i,
    )
    expect(broken.logged.some((line) => line.includes(String(error?.extensions.requestId)))).toBe(
      true,
    )
  }
})

test('GraphQL over HTTP refuses batches, subscriptions, mutations by GET and large bodies', async () => {
  expect(
    (await world.post([{ query: '{ platform { name } }' }, { query: '{ platform { name } }' }]))
      .status,
  ).toBe(400)
  const subscription = await world.post({ query: 'subscription { changes { cursor } }' })
  expect(subscription.json.errors?.[0]?.extensions.code).toBe('query_refused')
  const large = await world.post({ query: `{ platform { name } } # ${'x'.repeat(300_000)}` })
  expect(large.status).toBe(413)
  expect(large.json).toMatchObject({ code: 'payload_too_large' })
  const get = await fetch(
    `${world.url}/graphql?query=${encodeURIComponent('mutation { cancelOperation(input: { id: "1" }) { operation { id } } }')}`,
    {
      headers: { 'x-apollo-operation-name': 'a', authorization: 'Bearer root' },
    },
  )
  expect(get.status).toBe(405)
  const form = await fetch(
    `${world.url}/graphql?query=${encodeURIComponent('{ platform { name } }')}`,
    {},
  )
  expect(form.status, 'a page of another site can send this without a preflight').toBe(400)
})
