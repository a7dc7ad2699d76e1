import { startChild } from '../process/child.ts'
import type { ExecutorRequest, ExecutorTimes } from '../inside/executor.ts'
import { median } from '../numbers.ts'
import { type Bench, type Row } from '../row.ts'
import { type World } from '../product/world.ts'

/** The rows that compare executing a document with serializing the same data. */
export const executor: Bench = {
  name: 'executor',
  async run(world) {
    return [...(await rowsFor(world, 50)), ...(await rowsFor(world, 1000))]
  },
}

async function rowsFor(world: World, rows: number): Promise<Row[]> {
  // One process per size, because the compiler specialises on the data that it has processed.
  await using child = await startChild({ program: await world.inside('executor') })
  const request: ExecutorRequest = world.options.quick
    ? { rows, blockMs: 60, blocks: 5 }
    : { rows, blockMs: 200, blocks: 11 }
  const times = await child.ask<ExecutorTimes>(request)
  return [
    rowOf(`executor and JSON, GraphQL, ${rows} rows`, times.graph, times.stringify),
    rowOf(`executor and JSON, REST, ${rows} rows`, times.rest, times.stringify),
  ]
}

function rowOf(name: string, own: number[], stringify: number[]): Row {
  const ratios = own.map((ms, index) => ms / (stringify[index] ?? Number.NaN))
  return {
    name,
    berth: { cpuMs: median(own) },
    limit: { cpuMs: median(stringify) },
    value: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    unit: '×',
    target: { atMost: 1.6 },
  }
}
