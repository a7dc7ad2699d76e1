import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { root } from '../product/bundle.ts'
import { median } from '../numbers.ts'
import { startProduct } from '../product/product.ts'
import { type Bench, type Row } from '../row.ts'
import { type World } from '../product/world.ts'

/**
 * The start time that a user waits for and the memory that a machine needs. The numbers are
 * absolute, so they depend on this machine.
 */
export const start: Bench = {
  name: 'start and memory',
  async run(world) {
    const folder = join(world.folder, 'start')
    const first = await startProduct({ program: 'start', folder })
    await first.child.stop()
    const repetitions = world.options.quick ? 2 : 4
    const readyS: number[] = []
    let rssMb = Number.NaN
    for (let turn = 0; turn < repetitions; turn += 1) {
      await using again = await startProduct({ program: 'start', folder })
      readyS.push(again.readyMs / 1_000)
      if (turn === repetitions - 1) rssMb = await idleRssMb(world, again.child)
    }
    const spread: [number, number] = [Math.min(...readyS), Math.max(...readyS)]
    return [
      { name: 'first start until ready', berth: {}, value: first.readyMs / 1_000, unit: 's' },
      {
        name: 'second start until ready',
        berth: {},
        value: median(readyS),
        spread,
        unit: 's',
        target: { atMost: 4 },
      },
      { name: 'RSS of Berth, idle', berth: {}, value: rssMb, unit: 'MB', target: { atMost: 220 } },
      await firstLoad(),
    ]
  },
}

type Measured = Awaited<ReturnType<typeof startProduct>>['child']

async function idleRssMb({ options }: World, child: Measured): Promise<number> {
  await pause(options.quick ? 3_000 : 10_000)
  return (await child.cost()).rssBytes / 2 ** 20
}

/** Measures the gzipped size of the scripts that the console's page loads. */
async function firstLoad(): Promise<Row> {
  const dist = join(root, 'web', 'dist')
  const page = await readFile(join(dist, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].flatMap(([, path]) =>
    path ? [path] : [],
  )
  const needed = await withImports(dist, scripts)
  let bytes = 0
  for (const path of needed)
    bytes += gzipSync(await readFile(join(dist, path)), { level: 9 }).length
  return {
    name: 'JS of the first load, gzipped',
    berth: {},
    value: bytes / 1_000,
    unit: 'kB',
    target: { atMost: 130 },
  }
}

/** Adds the static imports of the scripts, without which the browser cannot start. */
async function withImports(dist: string, scripts: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  const waiting = [...scripts]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const text = await readFile(join(dist, path), 'utf8')
    for (const [, name] of text.matchAll(/(?:from|^import|[;}]import)\s*["']\.\/([^"']+\.js)["']/g))
      if (name) waiting.push(`assets/${name}`)
  }
  return found
}
