import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { bundleInside } from './bundle.ts'
import { type Child, startChild } from '../process/child.ts'
import { type Product, login, startProduct } from './product.ts'

/** The parts that rows share. Each part is opened by the first row that needs it. */
export interface World extends AsyncDisposable {
  readonly folder: string
  readonly options: Options
  /** Builds a program of the folder bench/inside and returns its path. */
  inside(name: string): Promise<string>
  databaseUrl(): Promise<string>
  /** Connects as the superuser, without row level security. */
  sql(): Promise<pg.Pool>
  /** Berth's API on a thousand tenants, with a token for it. */
  berth(): Promise<ServedBerth>
  load(): Promise<Child>
  /** Disposes the part together with the world. */
  own<Part extends AsyncDisposable>(part: Part): Part
}

export interface Options {
  quick: boolean
  wrk: boolean
  /** The folder for a CPU profile of Berth. */
  profile: string | null
}

export interface ServedBerth extends Product {
  token: string
}

/** Opens the parts of a bench run. */
export async function openWorld(options: Options): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-bench-'))
  const stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const own = <Part extends AsyncDisposable>(part: Part): Part => stack.use(part)
  const inside = (name: string): Promise<string> => bundleInside(name, folder)
  const databaseUrl = once(async () => {
    const postgres = own(
      await startChild({
        program: await inside('postgres'),
        env: { BENCH_DATA_DIR: join(folder, 'pg') },
      }),
    )
    return String(postgres.ready.url)
  })
  const sql = once(async () => {
    const pool = poolOn(await databaseUrl())
    stack.defer(() => pool.end())
    return pool
  })
  const berth = once(async () => {
    const nodeArgs = options.profile ? ['--cpu-prof', '--cpu-prof-dir', options.profile] : []
    const product = own(
      await startProduct({
        program: 'api',
        folder: join(folder, 'berth'),
        databaseUrl: await databaseUrl(),
        nodeArgs,
      }),
    )
    await fillTenants(await sql())
    return Object.assign(product, { token: await login(product.port) })
  })
  const load = once(async () =>
    own(await startChild({ program: join(import.meta.dirname, '..', 'load', 'load.ts') })),
  )
  return {
    folder,
    options,
    own,
    inside,
    databaseUrl,
    sql,
    berth,
    load,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/**
 * Opens a pool that ignores connection errors: PostgreSQL may close an idle connection first, which
 * must not discard the measured rows.
 */
export function poolOn(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 })
  return pool.on('error', () => undefined)
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/**
 * Inserts a thousand rows of about 1 kB of JSON each. The API refuses texts of this length, so SQL
 * inserts them.
 */
async function fillTenants(pool: pg.Pool): Promise<void> {
  await pool.query(`
    insert into tenant (id, name, slug, namespace, description, state, external_uuid, import_source)
    select gen_random_uuid(), 'Tenant ' || n || ' ' || repeat('x', 180), 'bench-' || n, 'berth-bench-' || n, 'One of a thousand',
      'active', gen_random_uuid()::text, 'https://import.example/' || repeat('y', 500)
    from generate_series(1, 1000) n`)
  await pool.query('analyze tenant')
}
