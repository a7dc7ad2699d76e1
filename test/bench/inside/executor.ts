import { restRoutes } from '../../../server/src/compose/nouns.ts'
/*
 * What running a document costs beside writing the same data down: no HTTP, no database, rows as
 * the driver gives them. CPU time of this process, because the wall's would be the machine's.
 */
import { randomUUID } from 'node:crypto'
import { type TenantView } from '../../../server/src/domain/tenant/tenant.ts'
import { anonymous } from '../../../server/src/engine/model/viewer.ts'
import { compileText } from '../../../server/src/engine/graphql/execute.ts'
import { type GraphRequest } from '../../../server/src/edge/graphql/context.ts'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { restOn } from '../../../server/src/engine/rest/rest.ts'
import { type Answer } from '../../../server/src/engine/rest/route.ts'
import { answering } from '../process/channel.ts'

export interface ExecutorAsked {
  rows: number
  blockMs: number
  blocks: number
}

/** Milliseconds of CPU for one list. */
export interface ExecutorSeen {
  stringify: number[]
  graph: number[]
  rest: number[]
}

const fields =
  'id name slug namespace description state stateReason externalUuid importSource version createdAt updatedAt'
const schema = buildBerthSchema()
const graph = compileText(
  schema,
  `query ($first: Int) { tenants(first: $first) { nodes { ${fields} } } }`,
)
const rest = restOn(restRoutes, (text) => compileText(schema, text))

function tenant(index: number): TenantView {
  return {
    id: randomUUID(),
    name: `Tenant ${index} ${'x'.repeat(180)}`,
    slug: `bench-${index}`,
    namespace: `berth-bench-${index}`,
    description: 'One of a thousand',
    state: 'active',
    stateReason: null,
    externalUuid: randomUUID(),
    version: 1,
    importSource: `https://import.example/${'y'.repeat(500)}`,
    createdAt: '2026-01-01T10:00:00.123456Z',
    updatedAt: '2026-01-01T10:00:00.123456Z',
  }
}

const viewer = {
  ...anonymous,
  role: 'root',
  permissions: new Set(['*']),
  credential: 'token',
} as const

function contextOver(nodes: TenantView[]): GraphRequest {
  const list = () => Promise.resolve({ nodes, cursor: () => '', hasNextPage: false })
  const berth = { reads: () => ({ tenants: { list } }) }
  // A list of tenants asks for nothing else of its request.
  return {
    berth,
    viewer,
    pageCap: 10_000,
    requestId: '',
    address: '',
    idempotencyKey: null,
  } as unknown as GraphRequest
}

async function measure({ rows, blockMs, blocks }: ExecutorAsked): Promise<ExecutorSeen> {
  // Texts in one piece, as the driver makes them; JSON.stringify is slower with those that were put
  // together.
  const nodes: TenantView[] = JSON.parse(
    JSON.stringify(Array.from({ length: rows }, (_, index) => tenant(index))),
  )
  const context = contextOver(nodes)
  const url = new URL(`http://bench/api/v1/tenants?limit=${rows}`)
  const run = async (
    executable: typeof graph,
    variables: Record<string, unknown>,
  ): Promise<Answer> => (await executable.run(context, variables)).data ?? {}
  const nothing = (): Promise<never> =>
    Promise.reject(new TypeError('nobody follows anything here'))
  const sources = { subscribe: nothing, events: nothing }
  const ways = {
    stringify: async () => JSON.stringify({ tenants: nodes }).length,
    graph: async () => JSON.stringify(await graph.run(context, { first: rows })).length,
    rest: async () =>
      (
        await rest({
          method: 'GET',
          url,
          run,
          header: () => undefined,
          readBody: async () => ({}),
          sources,
        })
      ).body.length,
  }
  const seen: ExecutorSeen = { stringify: [], graph: [], rest: [] }
  for (const way of Object.values(ways)) await cpuMsOf(way, blockMs * 3)
  for (let block = 0; block < blocks; block += 1) {
    for (const name of ['stringify', 'graph', 'rest'] as const)
      seen[name].push(await cpuMsOf(ways[name], blockMs))
  }
  return seen
}

/** Runs for about so long; milliseconds of CPU for one run. */
async function cpuMsOf(way: () => Promise<number>, forMs: number): Promise<number> {
  const before = process.cpuUsage()
  const until = performance.now() + forMs
  let runs = 0
  while (performance.now() < until) {
    if ((await way()) < 1_000) throw new Error('a list of nothing')
    runs += 1
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / runs
}

answering({}, measure)
