/**
 * A worker process that a test of the engine kills, pauses and restarts. It runs the real loop on
 * the real work table, with a reconciler whose cluster is a table. It prints one event per line to
 * its parent: ready, claimed or fenced. It runs from source with Node's type stripping.
 */
import { randomUUID } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import pg from 'pg'
import { inAppRole } from '../../../server/src/engine/database/app-role.ts'
import { startReconcileLoop } from '../../../server/src/engine/reconcile/loop.ts'
import { type Reconciler } from '../../../server/src/engine/reconcile/reconciler.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import {
  type FailpointPlan,
  atFailpoint,
  planFailpoints,
} from '../../../server/src/runtime/failpoint.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { inTransaction } from '../../../server/src/engine/database/sql/sql-client.ts'
import { type Lease } from '../../../server/src/engine/reconcile/work-lease.ts'
import { openWork } from '../../../server/src/engine/reconcile/work.ts'

export interface EngineWorkerPlan {
  readonly url: string
  readonly options: string
  readonly leaseMs: number
  readonly concurrency: number
  /** False removes the fence, to check that the test then fails. */
  readonly fenced: boolean
  readonly failpoints: FailpointPlan | null
}

// A killed process does not write its compile cache at exit, so this writes it at the start.
flushCompileCache()

const steps = 5

// The parent is this repository's own test, which prints the plan with JSON.stringify.
const plan = JSON.parse(process.argv[2] ?? '{}') as EngineWorkerPlan
const report = (word: string): void => void process.stdout.write(`${word}\n`)

planFailpoints(plan.failpoints)
const pool = new pg.Pool({
  connectionString: plan.url,
  options: plan.options,
  max: plan.concurrency + 4,
  ...inAppRole,
})
pool.on('error', () => undefined)
const work = openWork({
  pool,
  owner: randomUUID(),
  leaseMs: plan.leaseMs,
  onFenced: () => report('fenced'),
})

/** Creates an object. Creating it again succeeds, because the cluster does not know epochs. */
async function ensureObject(unit: string, step: number): Promise<void> {
  await pool.query('select pg_sleep(random() * 0.03)')
  await pool.query(
    'insert into engine_object (unit, step) values ($1, $2) on conflict do nothing',
    [unit, step],
  )
  await pool.query('select pg_sleep(random() * 0.03)')
}

async function record(lease: Lease, step: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    if (plan.fenced) await work.assertHeld(client, lease)
    await client.query(
      'update engine_unit set step = $2, done_at = case when $2 = 5 then clock_timestamp() end where id = $1',
      [lease.objectId, step],
    )
    await client.query('insert into engine_record (unit, step, epoch) values ($1, $2, $3)', [
      lease.objectId,
      step,
      lease.epoch,
    ])
  })
}

const unit: Reconciler = {
  kind: 'unit',
  async reconcile(key, lease) {
    report('claimed')
    const { rows } = await pool.query<{ step: number }>(
      'select step from engine_unit where id = $1',
      [key.objectId],
    )
    const next = (rows[0]?.step ?? steps) + 1
    if (next > steps) return { again: null }
    await atFailpoint(`unit.step${next}`, () => ensureObject(key.objectId, next))
    await record(lease, next)
    return { again: next === steps ? null : { afterMs: 0 } }
  },
}

const killer: Reconciler = {
  kind: 'killer',
  maxAttempts: 3,
  reconcile: () =>
    Promise.resolve(process.kill(process.pid, 'SIGKILL')).then(() => ({ again: null })),
}

const { concurrency, leaseMs } = plan
startReconcileLoop({
  work,
  reconcilers: { unit, killer },
  clock: systemClock,
  log: createLog('silent'),
  concurrency,
  leaseMs,
  pollMs: 250,
})
report('ready')
