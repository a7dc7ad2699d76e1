/*
 * Measures the transaction of a mutation and one durable insert in turn, on a separate database
 * without other connections.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { platform } from '../../../server/src/engine/model/viewer.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { migrate } from '../../../server/src/store/migrate.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { storeOn } from '../../../server/src/store/store.ts'
import { createServiceOffering } from '../../../server/src/usecases/service-offering/create-service-offering.ts'
import { serveRequests } from '../process/channel.ts'

export interface MutationRequest {
  turns: number
}

/** Milliseconds of each run in order, and mean CPU milliseconds. */
export interface MutationTimes {
  mutations: number[]
  inserts: number[]
  mutationCpuMs: number
  insertCpuMs: number
}

const url = process.env['BENCH_DATABASE_URL'] ?? ''
const log = createLog('silent')
await migrate(url, log)
const database = await openDatabase({ url, log })
const store = storeOn({
  database,
  clock: systemClock,
  seal: sealFromSecret(new Secret('x'.repeat(32)), 'answers'),
})
const client = new pg.Client({ connectionString: url })
await client.connect()
await client.query('create table line (text text)')

const viewer = {
  ...platform,
  userId: randomUUID(),
  role: 'root',
  credential: 'token',
  credentialId: randomUUID(),
} as const

function mutate(): Promise<unknown> {
  const call = {
    viewer,
    scope: 'platform',
    operation: 'createServiceOffering',
    requestId: randomUUID(),
    address: '127.0.0.1',
    idempotency: null,
  } as const
  const request = {
    name: `bench-${randomUUID().slice(0, 18)}`,
    displayName: 'Bench',
    cpu: 2,
    memoryMi: 2048,
  }
  return store.write({ scope: 'platform', call, idempotency: null }, (op) =>
    createServiceOffering(op, request),
  )
}

const insert = (): Promise<unknown> =>
  client.query({ name: 'line', text: 'insert into line values ($1)', values: ['one durable line'] })

async function measure({ turns }: MutationRequest): Promise<MutationTimes> {
  const { rows } = await client.query<{ fsync: string }>(
    `select current_setting('fsync') || current_setting('synchronous_commit') as fsync`,
  )
  if (rows[0]?.fsync !== 'onon') throw new Error('fsync and synchronous_commit must be on')
  const mutations: number[] = []
  const inserts: number[] = []
  const cpu = { mutation: 0, insert: 0 }
  for (let turn = 0; turn < turns; turn += 1) {
    cpu.mutation += await timed(mutate, mutations)
    cpu.insert += await timed(insert, inserts)
  }
  return {
    mutations,
    inserts,
    mutationCpuMs: cpu.mutation / turns,
    insertCpuMs: cpu.insert / turns,
  }
}

async function timed(action: () => Promise<unknown>, into: number[]): Promise<number> {
  const cpu = process.cpuUsage()
  const started = performance.now()
  await action()
  into.push(performance.now() - started)
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1_000
}

process.once('SIGTERM', () => process.exit())
serveRequests({}, measure)
