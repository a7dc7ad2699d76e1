import { type Pair, compare, get, post } from '../compare.ts'
import { type Bench } from '../row.ts'

const fields =
  'id name slug namespace description state stateReason externalUuid importSource version createdAt updatedAt'

const restList = (count: number, atLeast: number): Pair => ({
  name: `REST list of ${count}`,
  atLeast,
  berth: ({ asRoot }) => get(`/api/v1/tenants?limit=${count}`, asRoot),
  limit: () => get(`/rest/list?${count}`),
})

const document = `query Tenants($first: Int) { tenants(first: $first) { nodes { ${fields} } } }`

const graphList = (count: number, atLeast: number): Pair => ({
  name: `GraphQL list of ${count}`,
  atLeast,
  berth: ({ asRoot }) =>
    post('/graphql', JSON.stringify({ query: document, variables: { first: count } }), asRoot),
  limit: () => get(`/graph/list?${count}`),
})

const restOne: Pair = {
  name: 'REST one row',
  atLeast: 0.6,
  berth: ({ asRoot, id }) => get(`/api/v1/tenants/${id}`, asRoot),
  limit: ({ id }) => get(`/rest/one?${id}`),
}

const pairs = [
  restList(50, 0.75),
  restList(1000, 0.5),
  graphList(50, 0.5),
  graphList(1000, 0.45),
  restOne,
]

/** The rows that compare lists of tenants of Berth with those of the limit program. */
export const lists: readonly Bench[] = pairs.map((pair) => ({
  name: pair.name,
  run: async (world) => [await compare(world, pair)],
}))
