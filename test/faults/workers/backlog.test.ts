import { beforeAll, expect, test } from 'vitest'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

/*
 * More deploys at once than the cluster completes within one deadline. The short form has fewer
 * VMs, a small budget of calls and a deadline that passes several times during the backlog.
 * BERTH_TEST_THOROUGH=1 deploys 1,500 VMs with the deadline of the product, in a cluster with a
 * fifth of its speed.
 */
const isThorough = process.env['BERTH_TEST_THOROUGH'] === '1'
const scale = isThorough
  ? { tenants: 10, vms: 150, pace: 5, callsPerSecond: 1_000, deadlineSeconds: 600 }
  : { tenants: 3, vms: 20, pace: 1, callsPerSecond: 20, deadlineSeconds: 6 }
const waitMs = isThorough ? 900_000 : 60_000

let world: World
beforeAll(async () => {
  world = await aWorld({
    config: (config) => void (config.cluster.callsPerSecond = scale.callsPerSecond),
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: scale.pace })
})

const countOf = async (rows: string): Promise<number> => {
  const [row] = await world.database.sql(`select count(*)::int as found from ${rows}`)
  return Number(row?.['found'])
}
const openDeploys = `operation where kind = 'deploy_vm' and finished_at is null`

/**
 * Deploys VMs with disks, which an erased VM would lose, and returns the ids of the VMs. The
 * requests go out a few at a time, because one that waits too long for its turn is refused.
 */
async function deploys(tenant: WorldTenant, count: number): Promise<string[]> {
  const vms = await vmActions(tenant.admin)
  const ids: string[] = []
  while (ids.length < count) {
    const few = Array.from({ length: Math.min(5, count - ids.length) }, () =>
      vms.create({ rootDisk: 'persistent' }),
    )
    ids.push(...(await Promise.all(few)).map(({ id }) => String(id)))
  }
  return ids
}

test(
  'every VM of a backlog that takes several deadlines runs in the end, and none is erased',
  { timeout: 4 * waitMs },
  async () => {
    const tenants = await Promise.all(Array.from({ length: scale.tenants }, () => world.tenant()))
    const ids = (await Promise.all(tenants.map((each) => deploys(each, scale.vms)))).flat()
    await world.database.sql(
      `update operation set deadline_seconds = ${scale.deadlineSeconds},
              deadline = created_at + ${scale.deadlineSeconds} * interval '1 second'
        where kind = 'deploy_vm' and finished_at is null`,
    )
    const running = `vm where state = 'Running' and gone_at is null`
    await waitFor(async () => (await countOf(running)) === ids.length, {
      timeoutMs: waitMs,
      everyMs: 250,
      what: `${ids.length} VMs to run`,
    })
    await waitFor(async () => (await countOf(openDeploys)) === 0, { what: 'every deploy to end' })
    expect(await countOf(running)).toBe(ids.length)
  },
)

test('the only deploy of a tenant ends before the backlog of another tenant has begun', async () => {
  const [busy, other] = [await world.tenant(), await world.tenant()]
  await deploys(busy, 100)
  const [id = ''] = await deploys(other, 1)
  expect(await world.ended('deploy_vm', id)).toMatchObject({ state: 'succeeded' })
  const pending = `${openDeploys} and tenant_id = '${busy.id}' and started_at is null`
  expect(await countOf(pending)).toBeGreaterThan(0)
})
