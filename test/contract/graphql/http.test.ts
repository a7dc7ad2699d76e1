import { auditServer } from 'graphql-http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GraphWorld, aGraphWorld } from '../../support/world/graphql-world.ts'

let world: GraphWorld
beforeAll(async () => {
  world = await aGraphWorld({ introspection: true })
})
afterAll(() => world[Symbol.asyncDispose]())

test('GraphQL over HTTP: no MUST of the specification is broken', async () => {
  const results = await auditServer({ url: `${world.url}/graphql`, fetchFn: fetch })
  expect(results.length).toBeGreaterThan(50)
  const errors = results
    .filter(({ status }) => status === 'error')
    .map(({ name, ...rest }) => `${name}: ${'reason' in rest ? rest.reason : ''}`)
  expect(errors).toEqual([])
  // 4xx with application/json too: what scripts and proxies look at first is the status.
  const warnings = results.flatMap(({ name, status }) => (status === 'warn' ? [name] : []))
  expect(warnings.filter((name) => !name.includes('when accepting application/json'))).toEqual([])
})
