import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { type World } from '../product/world.ts'

const limits = new WeakMap<World, Promise<Child>>()

/**
 * Returns the limit program, which all rows of the benchmark share. It answers the same requests as
 * Berth with as little work as possible.
 */
export function limitOf(world: World): Promise<Child> {
  const running = limits.get(world) ?? startLimit(world)
  limits.set(world, running)
  return running
}

async function startLimit(world: World): Promise<Child> {
  return world.own(
    await startChild({
      program: join(import.meta.dirname, '..', 'limit', 'http.ts'),
      env: { BENCH_DATABASE_URL: await world.databaseUrl() },
    }),
  )
}
