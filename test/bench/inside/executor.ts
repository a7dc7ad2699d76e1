import { restRoutes } from '../../../server/src/compose/nouns.ts'
/*
 * The cost of executing a document compared with serializing the same data: no HTTP, no database,
 * and rows as the driver returns them. It measures CPU time of this process, because wall time
 * depends on the load of the machine.
 */
import { randomUUID } from 'node:crypto'
import { type TenantView } from '../../../server/src/domain/tenant/tenant.ts'
import { anonymous } from '../../../server/src/engine/model/viewer.ts'
import { compileText } from '../../../server/src/engine/graphql/execute.ts'
import { type GraphRequest } from '../../../server/src/edge/graphql/context.ts'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { createRestHandler } from '../../../server/src/engine/rest/rest.ts'
import { type DocumentResult } from '../../../server/src/engine/rest/route.ts'
import { serveRequests } from '../process/channel.ts'

export interface ExecutorRequest {
  rows: number
  blockMs: number
  blocks: number
}

/** Milliseconds of CPU per list. */
export interface ExecutorTimes {
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
const rest = createRestHandler(restRoutes, (text) => compileText(schema, text))

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
    requiresSecondFactor: false,
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
  // A list of tenants reads nothing else from its request context.
  return {
    berth,
    viewer,
    pageCap: 10_000,
    requestId: '',
    address: '',
    idempotencyKey: null,
    onReplay: () => undefined,
  } as unknown as GraphRequest
}

async function measure({ rows, blockMs, blocks }: ExecutorRequest): Promise<ExecutorTimes> {
  // The JSON round trip makes flat strings like the driver's. JSON.stringify is slower on
  // concatenated strings.
  const nodes: TenantView[] = JSON.parse(
    JSON.stringify(Array.from({ length: rows }, (_, index) => tenant(index))),
  )
  const context = contextOver(nodes)
  const url = new URL(`http://bench/api/v1/tenants?limit=${rows}`)
  const run = async (
    executable: typeof graph,
    variables: Record<string, unknown>,
  ): Promise<DocumentResult> => (await executable.run(context, variables)).data ?? {}
  const nothing = (): Promise<never> => Promise.reject(new TypeError('this bench has no streams'))
  const sources = { subscribe: nothing, events: nothing }
  const variants = {
    stringify: async () => JSON.stringify({ tenants: nodes }).length,
    graph: async () => JSON.stringify(await graph.run(context, { first: rows })).length,
    rest: async () =>
      (
        await rest({
          method: 'GET',
          url,
          run,
          admit: async () => undefined,
          header: () => undefined,
          readBody: async () => ({}),
          sources,
          openStream: nothing,
        })
      ).body.length,
  }
  const times: ExecutorTimes = { stringify: [], graph: [], rest: [] }
  for (const variant of Object.values(variants)) await cpuMsOf(variant, blockMs * 3)
  for (let block = 0; block < blocks; block += 1) {
    for (const name of ['stringify', 'graph', 'rest'] as const)
      times[name].push(await cpuMsOf(variants[name], blockMs))
  }
  return times
}

/** Runs the action for about this time and returns its mean CPU time in milliseconds. */
async function cpuMsOf(action: () => Promise<number>, forMs: number): Promise<number> {
  const before = process.cpuUsage()
  const until = performance.now() + forMs
  let runs = 0
  while (performance.now() < until) {
    if ((await action()) < 1_000) throw new Error('the list is empty')
    runs += 1
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / runs
}

serveRequests({}, measure)
