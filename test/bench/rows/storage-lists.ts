import { type Pair, compare, get } from '../compare.ts'
import { type Bench } from '../row.ts'
import { type World } from '../product/world.ts'

const count = 1_000

const restList = (what: string, path: string): Pair => ({
  name: `REST list of 1,000 ${what}`,
  atLeast: 0.7,
  berth: ({ asRoot }) => get(`/api/v1/${path}?limit=${count}`, `${asRoot}x-tenant-id: default\r\n`),
  limit: ({ tenantId }) => get(`/rest/${path}?${count}`, `x-tenant: ${tenantId}\r\n`),
})

const pairs = [
  restList('volumes', 'volumes'),
  restList('volume snapshots', 'snapshots'),
  restList('VM snapshots', 'vm-snapshots'),
]

/** The rows that compare lists of volumes and snapshots with those of the limit program. */
export const storageLists: readonly Bench[] = pairs.map((pair) => ({
  name: pair.name,
  async run(world) {
    await fill(world)
    return [await compare(world, pair)]
  },
}))

/** Creates a VM with a thousand snapshots, and a thousand volumes with one snapshot each. */
async function fill(world: World): Promise<void> {
  // The API process has migrated the database.
  await world.berth()
  const sql = await world.sql()
  const { rowCount } = await sql.query(`select from volume where name = 'bench-0001'`)
  if (rowCount) return
  await sql.query(
    `insert into vm (id, tenant_id, name, display_name, template_name, image, os_type, cpu, memory_mi, root_disk, boot_disk_size_gi, user_data, state)
     select gen_random_uuid(), id, 'zz-snapshotted', '', '', '', 'linux', 1, 64, 'persistent', 1, '', 'Stopped' from tenant where slug = 'default'`,
  )
  await sql.query(
    `insert into volume (id, tenant_id, name, size_gi, storage_class, state)
     select gen_random_uuid(), tenant.id, 'bench-' || lpad(n::text, 4, '0'), 10, 'fast', 'ready'
       from tenant, generate_series(1, ${count}) n where slug = 'default'`,
  )
  await sql.query(
    `insert into volume_snapshot (id, tenant_id, volume_id, volume_name, name, size_gi, storage_class, snapshot_class, state)
     select gen_random_uuid(), tenant_id, id, name, name, 10, storage_class, 'fast-snap', 'ready' from volume`,
  )
  await sql.query(
    `insert into vm_snapshot (id, tenant_id, vm_id, vm_name, name, origin, vm_disks, disks, cpu, memory_mi, dedicated_cpu, state)
     select gen_random_uuid(), vm.tenant_id, vm.id, vm.name, volume.name, 'asked', '[]',
       '[{"disk": "root", "name": "root", "volumeId": null, "sizeGi": 1, "included": true, "reason": null}]', 1, 64, false, 'ready'
       from vm, volume where vm.name = 'zz-snapshotted'`,
  )
  for (const table of ['volume', 'volume_snapshot', 'vm_snapshot'])
    await sql.query(`vacuum analyze ${table}`)
}
