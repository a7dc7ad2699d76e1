import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expirySweep } from '../../../server/src/compose/retention.ts'
import { inAppRole } from '../../../server/src/engine/database/app-role.ts'
import { type Config } from '../../../server/src/runtime/config/config.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { platformOptions } from '../../support/engine/world.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let pool: pg.Pool
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  pool = new pg.Pool({
    connectionString: world.database.url,
    options: platformOptions,
    ...inAppRole,
    max: 1,
  })
})
afterAll(() => pool.end())

type Retention = Config['retention']

/** Runs the sweeps as the leader does, with these settings. */
const sweep = (retention: Partial<Retention> = {}): Promise<number> =>
  expirySweep({ ...world.config, retention: { ...world.config.retention, ...retention } })(
    pool,
    1_000,
  )

const count = async (from: string): Promise<number> => {
  const [row] = await world.database.sql(`select count(*)::int as n from ${from}`)
  return Number(row?.['n'])
}

/** Waits until the object of a deletion is gone. */
async function removed(deletion: Promise<WireAnswer>, table: string, id: string): Promise<void> {
  const { status, text } = await deletion
  expect([table, status < 300 || text]).toEqual([table, true])
  await waitFor(
    async () => (await count(`${table} where id = '${id}' and gone_at is not null`)) === 1,
    { what: `the row in ${table} to be gone` },
  )
}
const remove = (path: string, table: string, id: string): Promise<void> =>
  removed(tenant.admin.rest('DELETE', path), table, id)

/** Makes the rows of deleted objects this old. */
const age = async (tables: readonly string[], days: number): Promise<void> => {
  for (const table of tables)
    await world.database.sql(
      `update ${table} set gone_at = now() - interval '${days} days' where gone_at is not null`,
    )
}

const isStored = async (table: string, id: string): Promise<boolean> =>
  (await count(`${table} where id = '${id}'`)) === 1

test('rows of deleted objects stay for the configured days, and as long as a row refers to them', async () => {
  const context = { world, tenant }
  const snapshot = await make.snapshot(context)
  const restored = (
    await tenant.admin.rest('POST', '/volumes', {
      body: { name: 'restored', size_gi: 1, snapshot_id: snapshot.id },
    })
  ).body.volume
  await world.ended('create_volume', restored.id)
  const [vm, live] = [await make.vm(context), await make.vm(context)]
  for (const { id } of [vm, live]) await world.ended('deploy_vm', id)
  const deletion = tenant.admin.rest('POST', '/vms/delete', { body: { name: vm.name } })
  await removed(deletion, 'vm', vm.id)
  await remove(`/snapshots/${snapshot.id}`, 'volume_snapshot', snapshot.id)
  await remove(`/volumes/${snapshot.volume_id}`, 'volume', snapshot.volume_id)

  await age(['vm', 'volume', 'volume_snapshot'], 20)
  await sweep()
  expect(await isStored('vm', vm.id)).toBe(true)

  await age(['vm', 'volume', 'volume_snapshot'], 31)
  await sweep({ deletedDays: 0 })
  expect(await isStored('vm', vm.id)).toBe(true)
  await sweep()
  expect(await isStored('vm', vm.id)).toBe(false)
  expect(await isStored('vm', live.id)).toBe(true)
  expect(await isStored('volume', restored.id)).toBe(true)
  expect(await isStored('volume_snapshot', snapshot.id), 'the restored volume names it').toBe(true)
  expect(await isStored('volume', snapshot.volume_id), 'the snapshot names it').toBe(true)

  await remove(`/volumes/${restored.id}`, 'volume', restored.id)
  await age(['vm', 'volume', 'volume_snapshot'], 31)
  await sweep()
  expect(await isStored('volume', restored.id)).toBe(false)
  expect(await isStored('volume_snapshot', snapshot.id)).toBe(false)
  expect(await isStored('volume', snapshot.volume_id)).toBe(false)
})

test('operations that ended are deleted after the configured days, and running ones are not', async () => {
  const [young, old] = ['create_tenant', 'deploy_vm']
  await world.database.sql(
    `update operation set finished_at = now() - interval '91 days' where kind = '${old}' and finished_at is not null`,
  )
  const isOld = `operation where kind = '${old}' and finished_at is not null`
  expect(await count(isOld)).toBeGreaterThan(0)
  await sweep({ operationDays: 0 })
  expect(await count(isOld)).toBeGreaterThan(0)
  await sweep()
  expect(await count(isOld)).toBe(0)
  expect(await count(`operation where kind = '${young}'`)).toBeGreaterThan(0)
})

test('audit entries are deleted after the configured days, never those of the last week', async () => {
  const ofLogins = `audit_event where operation = 'login'`
  expect(await count(ofLogins)).toBeGreaterThan(0)
  const ageBy = (days: number) =>
    world.database.sql(
      `update audit_event set at = now() - interval '${days} days' where operation = 'login'`,
    )
  await ageBy(6)
  await sweep({ auditDays: 1 })
  expect(await count(ofLogins)).toBeGreaterThan(0)
  await ageBy(366)
  await sweep({ auditDays: 0 })
  expect(await count(ofLogins)).toBeGreaterThan(0)
  await sweep()
  expect(await count(ofLogins)).toBe(0)
  expect(await count('audit_event')).toBeGreaterThan(0)
})

test('Berth can delete audit entries only through the function of the retention', async () => {
  await expect(pool.query('delete from audit_event')).rejects.toThrow(/permission denied/)
})
