import { startChild } from '../process/child.ts'
import type { ExecutorAsked, ExecutorSeen } from '../inside/executor.ts'
import { median } from '../numbers.ts'
import { type Bench, type Row } from '../row.ts'
import { type World } from '../product/world.ts'

export const executor: Bench = {
  name: 'executor',
  async run(world) {
    return [...(await rowsFor(world, 50)), ...(await rowsFor(world, 1000))]
  },
}

async function rowsFor(world: World, rows: number): Promise<Row[]> {
  // A process for each size: the compiler specialises on what it has seen.
  await using child = await startChild({ program: await world.inside('executor') })
  const asked: ExecutorAsked = world.options.quick
    ? { rows, blockMs: 60, blocks: 5 }
    : { rows, blockMs: 200, blocks: 11 }
  const seen = await child.ask<ExecutorSeen>(asked)
  return [
    rowOf(`executor and JSON, GraphQL, ${rows}`, seen.graph, seen.stringify),
    rowOf(`executor and JSON, REST, ${rows}`, seen.rest, seen.stringify),
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
