import { join } from 'node:path'
import { changeChannel } from '../../../server/src/engine/model/channel.ts'
import { type Child, startChild } from '../process/child.ts'
import { median, percentile } from '../numbers.ts'
import { type Bench, type Row, type Side } from '../row.ts'
import type { OpenRequest, ReceivedEvent } from '../load/subscribers.ts'
import { type World } from '../product/world.ts'

const query =
  'subscription ($after: String) { changes(after: $after) { cursor kind objectId tenantId version gap } }'

/**
 * Measures one event to many subscribers, by Berth and by a program that sends one prepared string.
 */
export const fanOut: Bench = {
  name: 'fan-out',
  async run(world) {
    const count = world.options.quick ? 200 : 1000
    const sides = await openSides(world, count)
    const { events, repetitions } = world.options.quick
      ? { events: 10, repetitions: 3 }
      : { events: 40, repetitions: 5 }
    await series(sides.berth, 5)
    await series(sides.limit, 5)
    const runs: { berth: Series; limit: Series }[] = []
    for (let turn = 0; turn < repetitions; turn += 1)
      runs.push({
        berth: await series(sides.berth, events),
        limit: await series(sides.limit, events),
      })
    return [rowOf(count, runs)]
  },
}

interface FanSide {
  server: Child
  subscribers: Child
  count: number
  /** Resolves when the event was sent. */
  fire(): Promise<unknown>
  /** The time at which sending began, on the clock that all processes share. */
  began(): Promise<string>
}

async function openSides(world: World, count: number): Promise<{ berth: FanSide; limit: FanSide }> {
  const env = { BENCH_DATABASE_URL: await world.databaseUrl() }
  // Starting Berth creates the tables.
  await world.berth()
  const berthServer = world.own(await startChild({ program: await world.inside('sockets'), env }))
  const limitServer = world.own(
    await startChild({ program: join(import.meta.dirname, '..', 'limit', 'sockets.ts') }),
  )
  const berthSubscribers = await subscribersOf(world, {
    port: berthServer.ready.port,
    count,
    query,
  })
  const limitSubscribers = await subscribersOf(world, { port: limitServer.ready.port, count })
  const pool = await world.sql()
  const write = () =>
    pool.query(`with recorded as (insert into change_log (tenant_id, kind, object_id, version) values (null, 'service_offering', gen_random_uuid(), 1))
      select pg_notify('${changeChannel}', '')`)
  const berth: FanSide = {
    server: berthServer,
    subscribers: berthSubscribers,
    count,
    fire: write,
    began: () => berthServer.ask({}),
  }
  const [{ text }] = [await one(berth)]
  let sent = '0'
  const send = async (): Promise<void> => void (sent = await limitServer.ask<string>({ text }))
  return {
    berth,
    limit: {
      server: limitServer,
      subscribers: limitSubscribers,
      count,
      fire: send,
      began: async () => sent,
    },
  }
}

async function subscribersOf(world: World, open: OpenRequest): Promise<Child> {
  const child = world.own(
    await startChild({ program: join(import.meta.dirname, '..', 'load', 'subscribers.ts') }),
  )
  await child.ask({ listen: await child.ask<number>({ open }) })
  return child
}

/** Sends one event and waits until every subscriber has received it. */
async function one({
  subscribers,
  count,
  fire,
  began,
}: FanSide): Promise<{ text: string; latenciesMs: number[] }> {
  await subscribers.ask({ expect: count })
  await fire()
  const { at, text } = await subscribers.ask<ReceivedEvent>({ collect: true })
  const from = BigInt(await began())
  return { text, latenciesMs: at.map((each) => Number(BigInt(each) - from) / 1e6) }
}

interface Series {
  cpuMs: number
  latenciesMs: number[]
}

async function series(side: FanSide, events: number): Promise<Series> {
  const latenciesMs: number[] = []
  const before = await side.server.cost()
  for (let event = 0; event < events; event += 1) latenciesMs.push(...(await one(side)).latenciesMs)
  const after = await side.server.cost()
  return { cpuMs: (after.cpuUs - before.cpuUs) / 1_000 / events, latenciesMs }
}

function rowOf(count: number, runs: readonly { berth: Series; limit: Series }[]): Row {
  const ratios = runs.map(({ berth, limit }) => berth.cpuMs / limit.cpuMs)
  const [berth, limit] = [
    sideOf(runs.map((each) => each.berth)),
    sideOf(runs.map((each) => each.limit)),
  ]
  return {
    name: `fan-out to ${count} subscribers, CPU`,
    berth,
    limit,
    value: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    unit: '×',
    target: { atMost: 2.2 },
  }
}

function sideOf(runs: readonly Series[]): Side {
  const sorted = runs.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b)
  return {
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
  }
}
