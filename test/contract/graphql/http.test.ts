import { auditServer } from 'graphql-http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GraphWorld, aGraphWorld } from '../../support/world/graphql-world.ts'

let world: GraphWorld
beforeAll(async () => {
  world = await aGraphWorld({ introspection: true })
})
afterAll(() => world[Symbol.asyncDispose]())

test('GraphQL over HTTP breaks no MUST of the specification', async () => {
  // The audit reads the schema, which needs a login.
  const fetchFn = (url: string, init?: RequestInit): Promise<Response> =>
    fetch(url, { ...init, headers: { ...init?.headers, authorization: 'Bearer root' } })
  const results = await auditServer({ url: `${world.url}/graphql`, fetchFn })
  expect(results.length).toBeGreaterThan(50)
  const errors = results
    .filter(({ status }) => status === 'error')
    .map(({ name, ...rest }) => `${name}: ${'reason' in rest ? rest.reason : ''}`)
  expect(errors).toEqual([])
  // A 4xx status is kept for application/json too, because scripts and proxies look at the status
  // first.
  const warnings = results.flatMap(({ name, status }) => (status === 'warn' ? [name] : []))
  expect(warnings.filter((name) => !name.includes('when accepting application/json'))).toEqual([])
})

test('an unexpected error while a caller is identified is logged under the request id of its answer', async () => {
  const broken = vi.spyOn(world.viewers, 'get').mockImplementation(() => {
    throw new Error('the token cannot be read')
  })
  const answer = await world.post({ query: '{ __typename }' })
  broken.mockRestore()
  expect(answer.status).toBe(500)
  const { code, requestId } = answer.json.errors?.[0]?.extensions ?? {}
  expect(code).toBe('internal')
  expect(world.logged.filter((line) => line.includes(String(requestId)))).toEqual([
    expect.stringMatching(/the token cannot be read.*http\.request_failed/),
  ])
})

test('a GET with a credential runs a query, and a GET that a page of another site can send is refused', async () => {
  const url = `${world.url}/graphql?query=${encodeURIComponent('{ __typename }')}`
  const query = async (headers: Record<string, string>): Promise<Response> =>
    fetch(url, { headers: { accept: 'application/json', ...headers } })
  const answered = await query({ authorization: 'Bearer root' })
  expect([answered.status, await answered.json()]).toEqual([200, { data: { __typename: 'Query' } }])
  expect((await query({})).status).toBe(400)
  expect((await query({ 'content-type': 'text/plain' })).status).toBe(400)
})
