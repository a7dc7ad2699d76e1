import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type KubeClient, kubeClientOf } from '../../support/sandbox/sandbox.ts'
import { startChild } from '../process/child.ts'
import { type Product, login, startProduct } from './product.ts'
import { type World, poolOn } from './world.ts'

/** Berth with a separate database and a sandbox whose controllers and guests have no delays. */
export interface VmWorld extends AsyncDisposable {
  readonly berth: Product
  readonly kube: KubeClient
  readonly sql: pg.Pool
  readonly headers: Readonly<Record<string, string>>
  ask(query: string, variables?: object): Promise<Json>
  /** Calls to the cluster since the start, by kind. */
  calls(): Promise<Map<string, number>>
}

/** Starts Berth with a database and a sandbox of its own, without delays. */
export async function openVmWorld(
  world: World,
  name: string,
  nodeArgs: readonly string[] = [],
): Promise<VmWorld> {
  const stack = new AsyncDisposableStack()
  const folder = join(world.folder, name)
  const postgres = stack.use(
    await startChild({
      program: await world.inside('postgres'),
      env: { BENCH_DATA_DIR: join(folder, 'pg') },
    }),
  )
  const sql = poolOn(String(postgres.ready.url))
  stack.defer(() => sql.end())
  const berth = stack.use(
    await startProduct({
      program: 'start',
      folder,
      databaseUrl: String(postgres.ready.url),
      nodeArgs,
    }),
  )
  const kube = await kubeClientOf(join(folder, 'data', 'sandbox', 'kubeconfig'))
  stack.defer(() => kube.close())
  await sandboxFaults(kube).inject('pace', { factor: 0 })
  const isOpen = async (): Promise<boolean> =>
    (await sql.query(`select from tenant where slug = 'default' and state = 'active'`)).rowCount ===
    1
  await until(isOpen, 'the default tenant to be open')
  const headers = {
    authorization: `Bearer ${await login(berth.port)}`,
    'content-type': 'application/json',
    'x-tenant-id': 'default',
  }
  const url = `http://127.0.0.1:${berth.port}`
  return {
    berth,
    kube,
    sql,
    headers,
    async ask(query, variables = {}) {
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query, variables }),
      })
      const { data, errors }: Json = await answer.json()
      if (errors) throw new TypeError(`Berth refused: ${JSON.stringify(errors)}`)
      return data
    },
    async calls() {
      const text = await (await fetch(`${url}/metrics`)).text()
      const found = new Map<string, number>()
      for (const [, kind = '', count] of text.matchAll(
        /^berth_cluster_calls_total\{method="\w+",kind="(\w+)"\} (\d+)$/gm,
      ))
        found.set(kind, (found.get(kind) ?? 0) + Number(count))
      return found
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Waits until the condition holds, and throws when the time is over. */
export async function until(
  condition: () => Promise<boolean>,
  what: string,
  withinMs = 180_000,
): Promise<void> {
  const late = AbortSignal.timeout(withinMs)
  while (!(await condition())) {
    if (late.aborted) throw new Error(`waited ${withinMs} ms for ${what}`)
    await pause(50)
  }
}

export const sumOf = (counts: Iterable<number>): number =>
  [...counts].reduce((sum, count) => sum + count, 0)
