import { setTimeout as pause } from 'node:timers/promises'
import { type Bench, type Row } from '../row.ts'
import { type VmWorld, openVmWorld, until } from '../product/vm-world.ts'

const writers = 16
const timeoutMinutes = 10
/** Slightly longer than the period of the full pass. */
const passMs = 70_000

const pendingWork = `
select 1 from work
 union all select 1 from vm where observed_version is null
 union all select 1 from vm_firewall where applied_generation < generation
 limit 1`

/** The cost of idle VMs: all of them exist and are stopped, in the database and in the cluster. */
export const vmRest: Bench = {
  name: 'VMs at rest',
  async run(world) {
    const count = world.options.quick ? 1_000 : 10_000
    await using vmWorld = await openVmWorld(world, 'rest', ['--expose-gc'])
    const heapBefore = await heapOf(vmWorld)
    await fill(vmWorld, count)
    await until(
      async () => (await vmWorld.sql.query(pendingWork)).rowCount === 0,
      'the VMs to be reconciled',
      timeoutMinutes * 60_000,
    )
    await waitUntilIdle(vmWorld)
    // This time covers two comparisons of each kind and one full pass.
    const seconds = world.options.quick ? 20 : 120
    const [calls, writes] = [await vmWorld.calls(), await writesIn(vmWorld)]
    await pause(seconds * 1_000)
    const perTenSeconds = [...(await vmWorld.calls())].map(([kind, made]) => ({
      kind,
      made: ((made - (calls.get(kind) ?? 0)) * 10) / seconds,
    }))
    const most = perTenSeconds.reduce((one, other) => (other.made > one.made ? other : one), {
      kind: '',
      made: 0,
    })
    return [
      row(`${count} idle VMs: calls in 10 s of the busiest kind (${most.kind})`, [
        most.made,
        1,
        'calls',
      ]),
      row(`${count} idle VMs: rows written, without the leader's heartbeat`, [
        (await writesIn(vmWorld)) - writes,
        0,
        'rows',
      ]),
      row(`memory of Berth per VM, ${count} VMs`, [
        ((await heapOf(vmWorld)) - heapBefore) / 1_024 / count,
        1,
        'kB',
      ]),
    ]
  },
}

/** Waits until a full pass writes nothing and the watch cache has expired. */
async function waitUntilIdle(vmWorld: VmWorld): Promise<void> {
  const lastWrite = { rows: -1, at: performance.now() }
  const isIdle = async (): Promise<boolean> => {
    const rows = await writesIn(vmWorld)
    if (rows !== lastWrite.rows) Object.assign(lastWrite, { rows, at: performance.now() })
    return performance.now() - lastWrite.at > passMs
  }
  await until(isIdle, 'the VMs to be idle', timeoutMinutes * 60_000)
}

const row = (name: string, [value, atMost, unit]: [number, number, Row['unit']]): Row => ({
  name,
  berth: {},
  value,
  unit,
  target: { atMost },
})

const heapOf = async ({ berth }: VmWorld): Promise<number> => (await berth.child.cost()).heapBytes

const writesIn = async ({ sql }: VmWorld): Promise<number> =>
  (
    await sql.query<{ n: number }>(
      `select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as n from pg_stat_user_tables where relname <> 'leadership'`,
    )
  ).rows[0]?.n ?? 0

async function fill(vmWorld: VmWorld, count: number): Promise<void> {
  const { rows } = await vmWorld.sql.query<{ id: string }>(
    `select id from tenant where slug = 'default'`,
  )
  const tenantId = rows[0]?.id ?? ''
  const names = Array.from({ length: count }, (_, index) => `rest-${index}`)
  const write = async (): Promise<void> => {
    for (let name = names.pop(); name; name = names.pop())
      await createVm(vmWorld, { tenantId, name })
  }
  await Promise.all(Array.from({ length: writers }, write))
  await vmWorld.sql.query('analyze vm')
}

async function createVm(
  { kube, sql }: VmWorld,
  { tenantId, name }: { tenantId: string; name: string },
): Promise<void> {
  const id = crypto.randomUUID()
  const labels = {
    'berth.dev/managed-by': 'berth',
    'berth.dev/tenant-id': tenantId,
    'berth.dev/row-id': id,
  }
  const template = { spec: { domain: { devices: {}, memory: { guest: '64Mi' } } } }
  const body = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, labels },
    spec: { runStrategy: 'Halted', template },
  }
  const answer = await kube.call('/apis/kubevirt.io/v1/namespaces/berth-default/virtualmachines', {
    method: 'POST',
    body,
  })
  if (answer.status !== 201)
    throw new TypeError(`the sandbox refused a VM: ${answer.text.slice(0, 300)}`)
  const mac = `02:${id.slice(0, 2)}:${id.slice(2, 4)}:${id.slice(4, 6)}:${id.slice(6, 8)}:${id.slice(9, 11)}`
  await sql.query(
    `insert into vm (id, tenant_id, name, display_name, template_name, image, os_type, cpu, memory_mi, root_disk, boot_disk_size_gi, user_data,
       wanted_power, state, cluster_uid, applied_generation)
     values ($1, $2, $3, $3, 'Rest', 'rest', 'linux', 1, 64, 'ephemeral', 1, '', 'off', 'Stopped', $4, 1)`,
    [id, tenantId, name, answer.body.metadata.uid],
  )
  await sql.query(
    `insert into nic (id, tenant_id, vm_id, ordinal, kind, mac, rest_seconds) values (gen_random_uuid(), $1, $2, 0, 'pod', $3, 0)`,
    [tenantId, id, mac],
  )
  await sql.query('insert into vm_firewall (vm_id, tenant_id) values ($1, $2)', [id, tenantId])
}
