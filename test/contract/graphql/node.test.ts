import { randomUUID } from 'node:crypto'
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { requirementsOf } from '../../../server/src/edge/graphql/authorize.ts'
import { nodeKinds } from '../../../server/src/edge/graphql/node/node-kinds.ts'
import { type GraphWorld, aGraphWorld, adminOf } from '../../support/world/graphql-world.ts'
import { type Json } from '../../support/json.ts'

const schema = buildBerthSchema()
const node = schema.getType('Node')
const nodeTypes = isInterfaceType(node) ? schema.getPossibleTypes(node) : []
const kinds = Object.values(nodeKinds)

/** The query for one object of each type, by the name of the type. */
const singles = new Map<string, GraphQLField<unknown, unknown>>(
  Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) => {
    const type = getNamedType(field.type)
    const isById = field.args.some(({ name }) => name === 'id')
    return isById && isObjectType(type) && 'id' in type.getFields() ? [[type.name, field]] : []
  }),
)

describe('the interface Node', () => {
  test('every type of which a query finds one by its id implements Node', () => {
    const names = nodeTypes.map(({ name }: GraphQLObjectType) => name)
    expect(singles.size).toBeGreaterThan(10)
    for (const name of singles.keys()) expect(names).toContain(name)
    expect(names.sort()).toEqual(kinds.map(({ type }) => type.name).sort())
  })

  test('node needs the same permissions as the query for one object', () => {
    for (const { type, needs } of kinds) {
      const field = singles.get(type.name)
      // Each user may read its own tenant, as `viewer.tenant` shows it.
      if (!field || type.name === 'Tenant') continue
      const required = requirementsOf(field)?.filter((requirement) => requirement !== 'any')
      expect([type.name, needs]).toEqual([type.name, required])
    }
  })
})

describe('node', () => {
  let world: GraphWorld
  let tenantId: string
  let token: string
  const volumeId = randomUUID()
  beforeAll(async () => {
    world = await aGraphWorld()
    ;({ id: tenantId, token } = await world.aTenant())
    await world.database.sql(
      `insert into volume (id, tenant_id, name, size_gi, storage_class) values ('${volumeId}', '${tenantId}', 'data', 1, 'fast')`,
    )
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await world[Symbol.asyncDispose]()
  })
  const find = async (id: string, as = token): Promise<Json> => {
    const { json } = await world.post(
      { query: `{ node(id: "${id}") { __typename id ... on Volume { name } } }` },
      { token: as },
    )
    expect(json.errors).toBeUndefined()
    return json.data.node
  }

  test('node returns an object with its type, also for an id in upper case', async () => {
    const volume = { __typename: 'Volume', id: volumeId, name: 'data' }
    expect(await find(volumeId)).toEqual(volume)
    expect(await find(volumeId.toUpperCase())).toEqual(volume)
    expect(await find(tenantId)).toEqual({ __typename: 'Tenant', id: tenantId })
  })

  test('node returns null for an absent object, a text that is no id, and an object of another tenant', async () => {
    const rival = await world.aTenant()
    expect(await find(randomUUID())).toBeNull()
    expect(await find('web-1')).toBeNull()
    expect(await find(volumeId, rival.token)).toBeNull()
    expect(await find(tenantId, rival.token)).toBeNull()
  })

  test('node returns null without the permission to read the object', async () => {
    world.viewers.set('limited', { ...adminOf(tenantId), permissions: new Set(['vms:read']) })
    expect(await find(volumeId, 'limited')).toBeNull()
  })

  test('node sends two statements, however many types have nodes', async () => {
    await find(volumeId)
    const queries = vi.spyOn(pg.Client.prototype, 'query')
    await find(volumeId)
    const texts = queries.mock.calls.map(
      ([query]: unknown[]) => (query as { text?: string }).text ?? '',
    )
    const reads = texts.filter((text) => text.includes('volume'))
    expect(reads).toHaveLength(2)
  })
})
