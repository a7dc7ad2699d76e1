import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import type { Load, Loaded } from './load.ts'
import { median } from './numbers.ts'
import { type Bench, type Row, type Side } from './row.ts'
import { type World } from './world.ts'
import { runWrk } from './wrk.ts'

/** The same question to Berth and to the limit program, in turn. */
interface Pair {
  name: string
  atLeast: number
  berth: (asked: Asked) => string
  limit: (asked: Asked) => string
}

interface Asked {
  /** A header with root's token. */
  asRoot: string
  /** Of some tenant. */
  id: string
}

const fields = 'id name slug namespace description state stateReason externalUuid importSource version createdAt updatedAt'

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nhost: bench\r\n${headers}\r\n`

function post(path: string, body: string, headers: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`
}

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
  berth: ({ asRoot }) => post('/graphql', JSON.stringify({ query: document, variables: { first: count } }), asRoot),
  limit: () => get(`/graph/list?${count}`),
})

const restOne: Pair = {
  name: 'REST one row',
  atLeast: 0.6,
  berth: ({ asRoot, id }) => get(`/api/v1/tenants/${id}`, asRoot),
  limit: ({ id }) => get(`/rest/one?${id}`),
}

const pairs = [restList(50, 0.75), restList(1000, 0.5), graphList(50, 0.5), graphList(1000, 0.45), restOne]

export const lists: readonly Bench[] = pairs.map((pair) => ({ name: pair.name, run: async (world) => [await compare(world, pair)] }))

const connections = 8

async function compare(world: World, pair: Pair): Promise<Row> {
  const berth = await world.berth()
  const limit = await limitOf(world)
  const { rows } = await (await world.sql()).query<{ id: string }>(`select id from tenant where slug = 'bench-500'`)
  const asked = { asRoot: `authorization: Bearer ${berth.token}\r\n`, id: rows[0]?.id ?? '' }
  const sides = {
    berth: { child: berth.child, port: berth.port, request: pair.berth(asked) },
    limit: { child: limit, port: limit.ready.port, request: pair.limit(asked) },
  }
  const { warmUpSeconds, seconds, repetitions } = world.options.quick ? quick : full
  for (const side of [sides.limit, sides.berth]) await measure(world, side, warmUpSeconds)
  const seen: { berth: Measured; limit: Measured }[] = []
  for (let turn = 0; turn < repetitions; turn += 1) {
    // Who goes first changes, so that a load that grows or falls favours nobody.
    const first = turn % 2 ? null : await measure(world, sides.berth, seconds)
    const second = await measure(world, sides.limit, seconds)
    seen.push({ berth: first ?? (await measure(world, sides.berth, seconds)), limit: second })
  }
  mustBeAlike(pair, seen[0])
  const ratios = seen.map((each) => each.berth.perSecond / each.limit.perSecond)
  const [berthSide, limitSide] = [sideOf(seen.map((each) => each.berth)), sideOf(seen.map((each) => each.limit))]
  return {
    name: pair.name,
    ...{ berth: berthSide, limit: limitSide, value: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)], unit: '×' },
    cpuRatio: median(seen.map((each) => each.berth.cpuMs / each.limit.cpuMs)),
    target: { atLeast: pair.atLeast },
  }
}

const full = { warmUpSeconds: 2, seconds: 2, repetitions: 5 }
const quick = { warmUpSeconds: 0.5, seconds: 0.4, repetitions: 3 }

interface Measured extends Loaded {
  cpuMs: number
}

async function measure(
  world: World,
  { child, port, request }: { child: Child; port: number; request: string },
  seconds: number,
): Promise<Measured> {
  const asked: Load = { port, request, connections, seconds }
  const before = await child.cost()
  const loaded = world.options.wrk ? await runWrk(asked) : await (await world.load()).ask<Loaded>(asked)
  const after = await child.cost()
  return { ...loaded, cpuMs: (after.cpuUs - before.cpuUs) / 1_000 / loaded.requests }
}

const sideOf = (seen: readonly Measured[]): Side => ({
  p50Ms: median(seen.map((each) => each.p50Ms)),
  p99Ms: median(seen.map((each) => each.p99Ms)),
  perSecond: median(seen.map((each) => each.perSecond)),
  cpuMs: median(seen.map((each) => each.cpuMs)),
})

/** Heads and the notation of timestamps differ; anything more would be another question. */
function mustBeAlike({ name }: Pair, seen: { berth: Measured; limit: Measured } | undefined): void {
  if (!seen) return
  const { berth, limit } = seen
  const differs = Math.abs(berth.bytes - limit.bytes) / limit.bytes
  if (differs > 0.05 && Math.abs(berth.bytes - limit.bytes) > 1_000)
    throw new Error(`${name}: Berth answers ${berth.bytes} bytes, the limit program ${limit.bytes}`)
}

const limits = new WeakMap<World, Promise<Child>>()

/** One limit program for all rows. */
function limitOf(world: World): Promise<Child> {
  const known = limits.get(world) ?? startLimit(world)
  limits.set(world, known)
  return known
}

async function startLimit(world: World): Promise<Child> {
  return world.own(
    await startChild({ program: join(import.meta.dirname, 'limit', 'http.ts'), env: { BENCH_DATABASE_URL: await world.databaseUrl() } }),
  )
}
