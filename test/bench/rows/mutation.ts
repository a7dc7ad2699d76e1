import { startChild } from '../process/child.ts'
import type { MutationRequest, MutationTimes } from '../inside/mutation.ts'
import type { Load, LoadResult } from '../load/load.ts'
import { median, percentile } from '../numbers.ts'
import { type Bench, type Row, type Side } from '../row.ts'
import { type World } from '../product/world.ts'

/**
 * The rows that compare a mutation with one durable insert: its transaction, and the whole request.
 */
export const mutation: Bench = {
  name: 'mutation',
  async run(world) {
    const databaseUrl = await separateDatabase(world)
    await using child = await startChild({
      program: await world.inside('mutation'),
      env: { BENCH_DATABASE_URL: databaseUrl },
    })
    const { turns, repetitions, seconds } = world.options.quick
      ? { turns: 100, repetitions: 3, seconds: 0.5 }
      : { turns: 300, repetitions: 5, seconds: 2 }
    const ask = (request: MutationRequest): Promise<MutationTimes> => child.ask(request)
    await ask({ turns })
    await overHttp(world, seconds)
    const unit: MutationTimes[] = []
    const http: LoadResult[] = []
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

function sideOf(runs: readonly { times: number[]; cpuMs: number }[]): Side {
  const sorted = runs.flatMap(({ times }) => times).sort((a, b) => a - b)
  return {
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
  }
}

const insertsOf = (runs: readonly MutationTimes[]): Side =>
  sideOf(runs.map(({ inserts, insertCpuMs }) => ({ times: inserts, cpuMs: insertCpuMs })))

function unitRow(runs: readonly MutationTimes[]): Row {
  const ratios = runs.map(({ mutations, inserts }) => middle(mutations) / middle(inserts))
  const berth = sideOf(
    runs.map(({ mutations, mutationCpuMs }) => ({ times: mutations, cpuMs: mutationCpuMs })),
  )
  return {
    name: 'mutation transaction',
    berth,
    limit: insertsOf(runs),
    value: median(ratios),
    unit: '×',
    target: { atMost: 5 },
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}

function httpRow(http: readonly LoadResult[], runs: readonly MutationTimes[]): Row {
  const ratios = http.map(({ p50Ms }, index) => p50Ms / middle(runs[index]?.inserts ?? []))
  const berth = {
    p50Ms: median(http.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(http.map(({ p99Ms }) => p99Ms)),
    perSecond: median(http.map(({ perSecond }) => perSecond)),
  }
  return {
    name: 'mutation over HTTP',
    berth,
    limit: insertsOf(runs),
    value: median(ratios),
    unit: '×',
    target: { atMost: 10 },
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}

const document = `mutation Create($input: CreateServiceOfferingInput!) { createServiceOffering(input: $input) { serviceOffering { id name version } } }`

/** Sends one request after the other, as a single caller does. */
async function overHttp(world: World, seconds: number): Promise<LoadResult> {
  const { port, token } = await world.berth()
  // The number signs become another number for each request.
  const body = JSON.stringify({
    query: document,
    variables: { input: { name: 'load-########', cpu: 2, memoryMi: 2048 } },
  })
  const head = `POST /graphql HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\ncontent-length: ${body.length}\r\n\r\n`
  const load: Load = { port, request: head + body, connections: 1, seconds }
  return (await world.load()).ask<LoadResult>(load)
}

async function separateDatabase(world: World): Promise<string> {
  await (await world.sql()).query('create database bench_mutation')
  const url = new URL(await world.databaseUrl())
  url.pathname = '/bench_mutation'
  return url.href
}
