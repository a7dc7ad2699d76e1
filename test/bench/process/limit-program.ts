import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { type World } from '../product/world.ts'

const limits = new WeakMap<World, Promise<Child>>()

/** One limit program for all rows. */
export function limitOf(world: World): Promise<Child> {
  const known = limits.get(world) ?? startLimit(world)
  limits.set(world, known)
  return known
}

async function startLimit(world: World): Promise<Child> {
  return world.own(
    await startChild({
      program: join(import.meta.dirname, '..', 'limit', 'http.ts'),
      env: { BENCH_DATABASE_URL: await world.databaseUrl() },
    }),
  )
}
