import { startChild } from '../process/child.ts'
import type { MutationAsked, MutationSeen } from '../inside/mutation.ts'
import type { Load, Loaded } from '../load/load.ts'
import { median, percentile } from '../numbers.ts'
import { type Bench, type Row, type Side } from '../row.ts'
import { type World } from '../product/world.ts'

export const mutation: Bench = {
  name: 'mutation',
  async run(world) {
    const databaseUrl = await ownDatabase(world)
    await using child = await startChild({
      program: await world.inside('mutation'),
      env: { BENCH_DATABASE_URL: databaseUrl },
    })
    const { turns, repetitions, seconds } = world.options.quick
      ? { turns: 100, repetitions: 3, seconds: 0.5 }
      : { turns: 300, repetitions: 5, seconds: 2 }
    const ask = (asked: MutationAsked): Promise<MutationSeen> => child.ask(asked)
    await ask({ turns })
    await overHttp(world, seconds)
    const unit: MutationSeen[] = []
    const http: Loaded[] = []
    for (let turn = 0; turn < repetitions; turn += 1) {
      unit.push(await ask({ turns }))
      http.push(await overHttp(world, seconds))
    }
    return [unitRow(unit), httpRow(http, unit)]
  },
}

const middle = (times: number[]): number =>
  percentile(
    times.toSorted((a, b) => a - b),
    0.5,
  )

function sideOf(seen: readonly { times: number[]; cpuMs: number }[]): Side {
  const sorted = seen.flatMap(({ times }) => times).sort((a, b) => a - b)
  return {
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMs: median(seen.map(({ cpuMs }) => cpuMs)),
  }
}

const insertsOf = (seen: readonly MutationSeen[]): Side =>
  sideOf(seen.map(({ inserts, insertCpuMs }) => ({ times: inserts, cpuMs: insertCpuMs })))

function unitRow(seen: readonly MutationSeen[]): Row {
  const ratios = seen.map(({ mutations, inserts }) => middle(mutations) / middle(inserts))
  const berth = sideOf(
    seen.map(({ mutations, mutationCpuMs }) => ({ times: mutations, cpuMs: mutationCpuMs })),
  )
  return {
    name: "mutation's transaction",
    berth,
    limit: insertsOf(seen),
    value: median(ratios),
    unit: '×',
    target: { atMost: 5 },
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}

function httpRow(http: readonly Loaded[], seen: readonly MutationSeen[]): Row {
  const ratios = http.map(({ p50Ms }, index) => p50Ms / middle(seen[index]?.inserts ?? []))
  const berth = {
    p50Ms: median(http.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(http.map(({ p99Ms }) => p99Ms)),
    perSecond: median(http.map(({ perSecond }) => perSecond)),
  }
  return {
    name: 'mutation over HTTP',
    berth,
    limit: insertsOf(seen),
    value: median(ratios),
    unit: '×',
    target: { atMost: 10 },
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}

const document = `mutation Create($input: CreateServiceOfferingInput!) { createServiceOffering(input: $input) { serviceOffering { id name version } } }`

/** One after the other: what one caller waits. */
async function overHttp(world: World, seconds: number): Promise<Loaded> {
  const { port, token } = await world.berth()
  // The number signs become another number for each request.
  const body = JSON.stringify({
    query: document,
    variables: { input: { name: 'load-########', cpu: 2, memoryMi: 2048 } },
  })
  const head = `POST /graphql HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\ncontent-length: ${body.length}\r\n\r\n`
  const load: Load = { port, request: head + body, connections: 1, seconds }
  return (await world.load()).ask<Loaded>(load)
}

async function ownDatabase(world: World): Promise<string> {
  await (await world.sql()).query('create database bench_mutation')
  const url = new URL(await world.databaseUrl())
  url.pathname = '/bench_mutation'
  return url.href
}
