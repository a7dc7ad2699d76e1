import { cpus, loadavg, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { cidrPlan } from './rows/cidr-plan.ts'
import { webConsole } from './rows/console.ts'
import { executor } from './rows/executor.ts'
import { eventSockets } from './rows/event-sockets.ts'
import { gateway } from './rows/gateway.ts'
import { lists } from './rows/lists.ts'
import { mutation } from './rows/mutation.ts'
import { type Bench, type Row } from './row.ts'
import { fanOut } from './rows/sockets.ts'
import { sandboxPages } from './product/sandbox.ts'
import { start } from './rows/start.ts'
import { tableOf } from './table.ts'
import { storageLists } from './rows/storage-lists.ts'
import { vmRest } from './rows/vm-rest.ts'
import { vmListCrowd, vmLists, vmPage } from './rows/vm-lists.ts'
import { vms } from './rows/vms.ts'
import { type Options, type World, openWorld } from './product/world.ts'

const benches: readonly Bench[] = [
  ...lists,
  executor,
  mutation,
  fanOut,
  eventSockets,
  start,
  sandboxPages,
  gateway,
  cidrPlan,
  ...storageLists,
  ...vmLists,
  vmListCrowd,
  webConsole,
  vmPage,
  vms,
  vmRest,
]

const usage = `npm run bench -- [--quick] [--only <part of a bench's name>] [--wrk] [--profile <folder>]\n`

/**
 * Measures and prints. The exit code reports whether the measurements worked, not whether targets
 * are met.
 */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: flags })
  const { only = '', quick = false, wrk = false, profile = null, help = false } = values
  const chosen = benches.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))
  if (!help && chosen.length > 0) return measure(chosen, { quick, wrk, profile })
  process.stdout.write(`${usage}\nBenches: ${benches.map(({ name }) => name).join(', ')}\n`)
  return help ? 0 : 1
}

const flags = {
  quick: { type: 'boolean' },
  only: { type: 'string' },
  wrk: { type: 'boolean' },
  profile: { type: 'string' },
  help: { type: 'boolean' },
} as const

async function measure(chosen: readonly Bench[], options: Options): Promise<number> {
  await using world = await openWorld(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void disposeAndExit(world))
  process.stdout.write(`${await environment(world)}\n`)
  const rows: Row[] = []
  for (const bench of chosen) {
    process.stderr.write(`${bench.name} …\n`)
    rows.push(...(await bench.run(world).catch((error: unknown) => failed(bench, error))))
  }
  process.stdout.write(`\n${tableOf(rows)}\n\n${loadLine('after')}\n`)
  return process.exitCode === 1 ? 1 : 0
}

async function disposeAndExit(world: World): Promise<void> {
  await world[Symbol.asyncDispose]()
  process.exit(1)
}

/** Reports the failure, so that the other benches still run. */
function failed({ name }: Bench, error: unknown): Row[] {
  process.exitCode = 1
  process.stderr.write(
    `${name} could not be measured: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  return []
}

async function environment(world: World): Promise<string> {
  const [row] = (await (await world.sql()).query('show server_version')).rows
  const [cpu] = cpus()
  const hardware = `${cpus().length} × ${cpu?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${process.platform}-${process.arch}`
  return [
    `Machine: ${hardware}`,
    `Node.js ${process.versions.node}, PostgreSQL ${row.server_version}`,
    loadLine('before'),
  ].join('\n')
}

/** Other load on the machine changes throughput by half and CPU per request by a seventh. */
function loadLine(when: string): string {
  const [now = 0] = loadavg()
  const busy = when === 'before' && now > cpus().length / 2
  return `Load average ${when}: ${now.toFixed(2)}${busy ? ' (the machine is busy: measure again, and trust the CPU ratio more than throughput)' : ''}`
}
