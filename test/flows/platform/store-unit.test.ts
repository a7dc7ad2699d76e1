import { randomUUID } from 'node:crypto'
import { type EventEmitter } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platform } from '../../../server/src/engine/model/viewer.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { ask as askClient } from '../../../server/src/engine/database/pg-driver.ts'
import { type Op } from '../../../server/src/store/op.ts'
import { type Database } from '../../../server/src/engine/database/database.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { type Store, type Write, storeOn } from '../../../server/src/store/store.ts'
import { createServiceOffering } from '../../../server/src/usecases/service-offering/create-service-offering.ts'
import { type TestDatabase, aDatabase } from '../../support/postgres/database.ts'
import { databaseDriver } from '../../support/postgres/database-driver.ts'

let testDatabase: TestDatabase
let database: Database
let store: Store

beforeAll(async () => {
  testDatabase = await aDatabase()
  database = await openDatabase({
    url: testDatabase.url,
    log: createLog('silent'),
    driver: databaseDriver,
  })
  store = storeOn({
    database,
    clock: systemClock,
    seal: sealFromSecret(new Secret('s'.repeat(32)), 'answers'),
  })
})

afterAll(() => database.close())

const asRoot = (key: string | null = null): Write => ({
  scope: 'platform',
  call: { viewer: platform, operation: 'createServiceOffering', requestId: 'r-1', address: '' },
  idempotency:
    key === null ? null : { key, bodyHash: Buffer.from('same body'), onReplay: () => undefined },
})

const small = (name: string) => (op: Op) =>
  createServiceOffering(op, { name, cpu: 1, memoryMi: 1024 })

test('a write commits its row, its change, its audit row and its answer together', async () => {
  const { serviceOffering } = await store.write(asRoot('k-1'), small('together'))
  const named = `object_id = '${serviceOffering.id}'`
  expect(await testDatabase.sql(`select kind, version from change_log where ${named}`)).toEqual([
    { kind: 'service_offering', version: 1 },
  ])
  expect(
    await testDatabase.sql(
      `select outcome, target_name from audit_event where target_id = '${serviceOffering.id}'`,
    ),
  ).toEqual([{ outcome: 'allowed', target_name: 'together' }])
})

test('a failed unit leaves nothing behind', async () => {
  const count = () =>
    testDatabase.sql(
      'select (select count(*) from change_log) c, (select count(*) from audit_event) a, (select count(*) from idempotency_key) k',
    )
  const before = await count()
  const broken = async (op: Op) => {
    await small('half')(op)
    throw new TypeError('planted')
  }
  await expect(store.write(asRoot('k-2'), broken)).rejects.toThrow('planted')
  expect(await count()).toEqual(before)
  expect(await testDatabase.sql("select 1 from service_offering where name = 'half'")).toEqual([])
})

test('a repeated idempotency key gets the same answer and creates nothing', async () => {
  const first = await store.write(asRoot('k-3'), small('once'))
  expect(await store.write(asRoot('k-3'), small('once'))).toEqual(first)
})

test('the answer to an idempotency key goes to the credential that sent it first', async () => {
  const by = (credentialId: string | null): Write => {
    const write = asRoot('k-4')
    const { call } = write
    return { ...write, call: call && { ...call, viewer: { ...call.viewer, credentialId } } }
  }
  const [mine, other] = [randomUUID(), randomUUID()]
  const first = await store.write(by(mine), small('for-one'))
  for (const credentialId of [other, null])
    await expect(store.write(by(credentialId), small('for-one'))).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
  expect(await store.write(by(mine), small('for-one'))).toEqual(first)
})

test('a list returns each row once over all pages', async () => {
  for (const name of ['page-a', 'page-b', 'page-c']) await store.write(asRoot(), small(name))
  const reads = store.reads('platform').serviceOfferings
  const query = { search: 'page-', includeInactive: true, sort: 'name', direction: 'asc' } as const
  const names: string[] = []
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof reads.list>> = await reads.list(
      { first: 2, after },
      query,
    )
    names.push(...page.nodes.map((node) => node.name))
    if (!page.hasNextPage) break
    after = page.cursor(page.nodes.length - 1)
  }
  expect(names).toEqual(['page-a', 'page-b', 'page-c'])
})

test('a taken name is refused even when only the unique index detects it', async () => {
  await store.write(asRoot(), small('taken'))
  const blindly = async (op: Op) => {
    await op.serviceOfferings.insert({
      name: 'taken',
      displayName: 'Taken',
      cpu: 1,
      memoryMi: 1,
      dedicatedCpu: false,
    })
  }
  await expect(store.write(asRoot(), blindly)).rejects.toMatchObject({ code: 'already_exists' })
})

test('a unit sends its initial read before the fence answers, and does not act on a lost fence', async () => {
  const calls: string[] = []
  const unit = (isHeld: boolean) =>
    store.workOn(
      {
        scope: 'platform',
        async fence(client) {
          await client.query('select 1')
          calls.push('fence')
          if (!isHeld) throw new TypeError('lost')
        },
        read(op) {
          calls.push('read')
          return op.reads.tenants.find(randomUUID())
        },
      },
      (_, row) => {
        calls.push('act')
        return Promise.resolve(row)
      },
    )
  expect(await unit(true)).toBeNull()
  await expect(unit(false)).rejects.toThrow('lost')
  expect(calls).toEqual(['read', 'fence', 'act', 'read', 'fence'])
})

test.skipIf(databaseDriver === 'plain')(
  'a statement is described once per connection, in pipelined queries too',
  async () => {
    const client = await database.pool.connect()
    let described = 0
    // The published type of a client lacks its connection.
    const { connection } = client as unknown as { connection: EventEmitter }
    connection.on('rowDescription', () => (described += 1))
    const ask = (number: number) =>
      askClient(client, {
        name: 'looks',
        text: 'select $1::int as n, null as nothing',
        values: [number],
      })
    expect((await ask(1)).rows).toEqual([{ n: 1, nothing: null }])
    expect((await Promise.all([ask(2), ask(3)])).flatMap(({ rows }) => rows)).toEqual(
      [2, 3].map((n) => ({ n, nothing: null })),
    )
    client.release(true)
    expect(described).toBe(1)
  },
)
