import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GraphWorld, type Posted, aGraphWorld } from '../../support/world/graphql-world.ts'

let world: GraphWorld
beforeAll(async () => {
  world = await aGraphWorld({ introspection: true })
})
afterAll(() => world[Symbol.asyncDispose]())

const asStranger = async (query: string): Promise<Posted> => {
  const response = await fetch(`${world.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const text = await response.text()
  return { status: response.status, text, json: JSON.parse(text) as Posted['json'] }
}
const asUser = (query: string): Promise<Posted> => world.post({ query })

const fields = (count: number): string => Array.from({ length: count }, () => 'name').join(' ')
const codeOf = ({ json }: Posted): unknown => json.errors?.[0]?.extensions.code ?? null

test('a caller without a login runs public documents only', async () => {
  expect((await asStranger('{ __typename }')).json).toEqual({ data: { __typename: 'Query' } })
  const login = 'mutation { login(input: { username: "x", password: "y" }) { token } }'
  expect(codeOf(await asStranger(login))).toBe('invalid_credentials')
  expect(codeOf(await asStranger('{ platform { name } }'))).toBe('unauthenticated')
})

test.each<[string, string]>([
  ['reads the schema', '{ __schema { queryType { name } } }'],
  ['has more than two hundred tokens', `{ platform { ${fields(210)} } }`],
])('a document of a caller without a login is refused when it %s', async (_what, query) => {
  expect(codeOf(await asUser(query))).toBeNull()
  expect(codeOf(await asStranger(query))).toBe('query_refused')
})

test('a body of a caller without a login is refused above 16 KiB', async () => {
  const query = `{ platform { name } } # ${'ü'.repeat(9_000)}`
  expect(codeOf(await asUser(query))).toBeNull()
  expect(await asStranger(query)).toMatchObject({
    status: 413,
    text: expect.stringContaining('16 KiB'),
  })
})

test('the schema can be read twice in one document, and not more often', async () => {
  const read = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, at) => `a${at}: __schema { queryType { name } }`).join(' ')} }`
  expect(codeOf(await asUser(read(2)))).toBeNull()
  expect(codeOf(await asUser(read(3)))).toBe('query_refused')
})
