import { type Child } from './process/child.ts'
import { limitOf } from './process/limit-program.ts'
import type { Load, LoadResult } from './load/load.ts'
import { median } from './numbers.ts'
import { type Row, type Side } from './row.ts'
import { type World } from './product/world.ts'
import { runWrk } from './load/wrk.ts'

/**
 * A request to Berth and the same request to the limit program. The limit program answers it with
 * as little work as possible, so it shows the lowest possible cost (limit/http.ts).
 */
export interface Pair {
  name: string
  /** The target: requests per second of Berth as a share of those of the limit program. */
  atLeast: number
  berth: (sample: Sample) => string
  limit: (sample: Sample) => string
}

interface Sample {
  /** A header with root's token. */
  asRoot: string
  /** The ID of a tenant. */
  id: string
  /** The ID of the tenant that has the VMs. */
  tenantId: string
}

export const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: bench\r\n${headers}\r\n`

export function post(path: string, body: string, headers: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`
}

const connections = 8

/** Sends both requests in turn, several times, and returns the row of the results. */
export async function compare(world: World, pair: Pair): Promise<Row> {
  const sides = await sidesOf(world, pair)
  const { warmUpSeconds, seconds, repetitions } = world.options.quick ? quick : full
  for (const side of [sides.limit, sides.berth])
    await measure(world, side, { seconds: warmUpSeconds })
  const results: { berth: Measured; limit: Measured }[] = []
  for (let turn = 0; turn < repetitions; turn += 1) {
    // The first side alternates, so that a rising or falling load favours neither.
    const first = turn % 2 ? null : await measure(world, sides.berth, { seconds })
    const second = await measure(world, sides.limit, { seconds })
    results.push({
      berth: first ?? (await measure(world, sides.berth, { seconds })),
      limit: second,
    })
  }
  requireSimilarSize(pair, results[0])
  const ratios = results.map((each) => each.berth.perSecond / each.limit.perSecond)
  const [berthSide, limitSide] = [
    sideOf(results.map((each) => each.berth)),
    sideOf(results.map((each) => each.limit)),
  ]
  return {
    name: pair.name,
    berth: berthSide,
    limit: limitSide,
    value: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    unit: '×',
    cpuRatio: median(results.map((each) => each.berth.cpuMs / each.limit.cpuMs)),
    target: { atLeast: pair.atLeast },
  }
}

/** A program to send requests to, and the request. */
interface Target {
  child: Child
  port: number
  request: string
}

async function sidesOf(
  world: World,
  pair: Pick<Pair, 'berth' | 'limit'>,
): Promise<{ berth: Target; limit: Target }> {
  const berth = await world.berth()
  const limit = await limitOf(world)
  const [id, tenantId] = [await idOf(world, 'bench-500'), await idOf(world, 'default')]
  const sample = { asRoot: `authorization: Bearer ${berth.token}\r\n`, id, tenantId }
  return {
    berth: { child: berth.child, port: berth.port, request: pair.berth(sample) },
    limit: { child: limit, port: limit.ready.port, request: pair.limit(sample) },
  }
}

/** Measures Berth alone with many connections at once. */
export async function measureBerth(
  world: World,
  { pair, connections: many }: { pair: Pair; connections: number },
): Promise<Required<Side>> {
  const { berth } = await sidesOf(world, pair)
  const { warmUpSeconds, seconds, repetitions } = world.options.quick ? quick : full
  await measure(world, berth, { seconds: warmUpSeconds, connections: many })
  const results: Measured[] = []
  while (results.length < repetitions)
    results.push(await measure(world, berth, { seconds, connections: many }))
  return sideOf(results)
}

const idOf = async (world: World, slug: string): Promise<string> =>
  (await (await world.sql()).query<{ id: string }>('select id from tenant where slug = $1', [slug]))
    .rows[0]?.id ?? ''

const full = { warmUpSeconds: 2, seconds: 2, repetitions: 5 }
const quick = { warmUpSeconds: 0.5, seconds: 0.4, repetitions: 3 }

interface Measured extends LoadResult {
  cpuMs: number
}

async function measure(
  world: World,
  { child, port, request }: Target,
  { seconds, connections: many = connections }: { seconds: number; connections?: number },
): Promise<Measured> {
  const load: Load = { port, request, connections: many, seconds }
  const before = await child.cost()
  const loaded = world.options.wrk
    ? await runWrk(load)
    : await (await world.load()).ask<LoadResult>(load)
  const after = await child.cost()
  return { ...loaded, cpuMs: (after.cpuUs - before.cpuUs) / 1_000 / loaded.requests }
}

const sideOf = (results: readonly Measured[]): Required<Side> => ({
  p50Ms: median(results.map((each) => each.p50Ms)),
  p99Ms: median(results.map((each) => each.p99Ms)),
  perSecond: median(results.map((each) => each.perSecond)),
  cpuMs: median(results.map((each) => each.cpuMs)),
})

/**
 * The sizes may differ by headers and timestamp notation. A larger difference means another
 * request.
 */
function requireSimilarSize(
  { name }: Pair,
  results: { berth: Measured; limit: Measured } | undefined,
): void {
  if (!results) return
  const { berth, limit } = results
  const differs = Math.abs(berth.bytes - limit.bytes) / limit.bytes
  if (differs > 0.05 && Math.abs(berth.bytes - limit.bytes) > 1_000)
    throw new Error(`${name}: Berth answers ${berth.bytes} bytes, the limit program ${limit.bytes}`)
}
