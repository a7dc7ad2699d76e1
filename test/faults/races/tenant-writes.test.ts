import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
beforeAll(async () => void (world = await aWorld()))

const waitingForLock = async (): Promise<number> =>
  (
    await world.database.sql(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length

const waitingWrites = async (): Promise<number> => {
  const { text } = await world.wire.send('GET', '/metrics')
  return Number(/^berth_waiting_writes (\d+)$/m.exec(text)?.[1] ?? 0)
}

test('the writes of a tenant that wait for each other hold three connections, and another tenant reads and writes', async () => {
  const [busy, other] = [await world.tenant(), await world.tenant()]
  const vms = await vmActions(busy.admin)
  const holder = new pg.Client({ connectionString: world.database.url })
  await holder.connect()
  await holder.query(`begin; select from tenant where id = '${busy.id}' for update`)
  const creates = Array.from({ length: 40 }, () => vms.create())
  await waitFor(async () => (await waitingWrites()) >= 37, {
    what: 'the other creates to wait without a connection',
  })
  expect(await waitingForLock()).toBeLessThanOrEqual(3)
  expect((await other.admin.rest('GET', '/vms')).status).toBe(200)
  expect(await (await vmActions(other.admin)).create()).toMatchObject({ id: expect.any(String) })
  await holder.query('rollback')
  await holder.end()
  expect(new Set((await Promise.all(creates)).map(({ id }) => id)).size).toBe(40)
})
