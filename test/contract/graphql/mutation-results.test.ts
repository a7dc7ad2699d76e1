import { randomUUID } from 'node:crypto'
import { isNullableType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type GraphWorld, aGraphWorld } from '../../support/world/graphql-world.ts'
import { unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: GraphWorld
let token: string
beforeAll(async () => {
  world = await aGraphWorld()
  token = (await world.aTenant()).token
})
afterAll(() => world[Symbol.asyncDispose]())

/** Its private key is shown only once. */
const accepted = (): string =>
  `createSshKey(input: { name: "${unique('key')}" }) { sshKey { id } privateKeyPem }`
const refused = (): string => `deleteVpc(input: { id: "${randomUUID()}" }) { vpc { id } }`

const created = { sshKey: { id: expect.any(String) }, privateKeyPem: expect.any(String) }
const failure = (path: string, code: string) =>
  expect.objectContaining({ path: [path], extensions: expect.objectContaining({ code }) })

const overHttp = async (query: string): Promise<Json> =>
  (await world.post({ query }, { token })).json
async function overSocket(query: string): Promise<Json> {
  const client = await GraphqlSocketClient.login(world.url, { token })
  const answer = await client.ask(query)
  client.leave()
  return answer
}

describe.each([
  ['HTTP', overHttp],
  ['a socket', overSocket],
])('mutations over %s', (_, ask) => {
  test('a refused mutation leaves the result of the mutation before it', async () => {
    const { data, errors } = await ask(`mutation { one: ${accepted()} two: ${refused()} }`)
    expect(data).toEqual({ one: created, two: null })
    expect(errors).toEqual([failure('two', 'not_found')])
  })

  test('the mutation after a refused one runs', async () => {
    const { data, errors } = await ask(`mutation { one: ${refused()} two: ${accepted()} }`)
    expect(data).toEqual({ one: null, two: created })
    expect(errors).toEqual([failure('one', 'not_found')])
  })
})

describe('the status over HTTP', () => {
  const forbidden = 'deleteServiceOffering(input: { id: "x" }) { serviceOffering { id } }'

  test('the status is that of the refusal when no mutation was accepted', async () => {
    const query = `mutation { one: ${forbidden} two: ${forbidden} }`
    const { status, json } = await world.post({ query }, { token })
    expect([status, json.data]).toEqual([403, { one: null, two: null }])
    expect(json.errors).toEqual([failure('one', 'forbidden'), failure('two', 'forbidden')])
  })

  test('a client of the specified media type gets the status 200 with every data', async () => {
    const query = `mutation { one: ${forbidden} }`
    const headers = { accept: 'application/graphql-response+json, application/json' }
    const { status, json } = await world.post({ query }, { token, headers })
    expect([status, json.data]).toEqual([200, { one: null }])
    expect(json.errors).toEqual([failure('one', 'forbidden')])
  })

  test('the status is 200 when one mutation was accepted', async () => {
    const query = `mutation { one: ${accepted()} two: ${forbidden} }`
    const { status, json } = await world.post({ query }, { token })
    expect([status, json.data]).toEqual([200, { one: created, two: null }])
    expect(json.errors).toEqual([failure('two', 'forbidden')])
  })
})

test('the result of every mutation is nullable', () => {
  const mutations = Object.values(buildBerthSchema().getMutationType()?.getFields() ?? {})
  expect(mutations.length).toBeGreaterThan(50)
  expect(mutations.filter(({ type }) => !isNullableType(type)).map(({ name }) => name)).toEqual([])
})
