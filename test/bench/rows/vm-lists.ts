import { type Pair, compare, measureBerth, get, post } from '../compare.ts'
import { startChild } from '../process/child.ts'
import { type Bench } from '../row.ts'
import { type World } from '../product/world.ts'

const fields =
  `id name displayName state stateSince wantedPower cpu memoryMi templateId templateName serviceOfferingId serviceOfferingName
  ip mac tags version createdAt updatedAt nics { name mac address networkName }`.replaceAll(
    /\s+/g,
    ' ',
  )

const document = `query Vms($first: Int) { vms(first: $first) { nodes { ${fields} } } }`

const graphList = (count: number, atLeast: number): Pair => ({
  name: `GraphQL list of ${count} of 10,000 VMs`,
  atLeast,
  berth: ({ asRoot }) =>
    post(
      '/graphql',
      JSON.stringify({ query: document, variables: { first: count } }),
      `${asRoot}x-tenant-id: default\r\n`,
    ),
  limit: ({ tenantId }) => get(`/graph/vms?${count}`, `x-tenant: ${tenantId}\r\n`),
})

const restList = (count: number, atLeast: number): Pair => ({
  name: `REST list of ${count} of 10,000 VMs`,
  atLeast,
  berth: ({ asRoot }) => get(`/api/v1/vms?limit=${count}`, `${asRoot}x-tenant-id: default\r\n`),
  limit: ({ tenantId }) => get(`/rest/vms?${count}`, `x-tenant: ${tenantId}\r\n`),
})

const restOne: Pair = {
  name: 'REST one VM of 10,000',
  atLeast: 0.6,
  berth: ({ asRoot }) => get('/api/v1/vms/vm-000500', `${asRoot}x-tenant-id: default\r\n`),
  limit: ({ tenantId }) => get('/rest/vm?vm-000500', `x-tenant: ${tenantId}\r\n`),
}

const pairs = [
  graphList(50, 0.5),
  graphList(1000, 0.45),
  restList(50, 0.75),
  restList(1000, 0.5),
  restOne,
]

/** The rows that compare lists of VMs of Berth with those of the limit program. */
export const vmLists: readonly Bench[] = pairs.map((pair) => ({
  name: pair.name,
  async run(world) {
    await vmsOf(world, { count: 10_000, tenants: 20 })
    return [await compare(world, pair)]
  },
}))

/** Measures the list with more parallel requests than database connections. */
export const vmListCrowd: Bench = {
  name: 'REST list of 50 of 10,000 VMs, 32 connections',
  async run(world) {
    await vmsOf(world, { count: 10_000, tenants: 20 })
    const { perSecond, p50Ms, p99Ms } = await measureBerth(world, {
      pair: restList(50, 0),
      connections: 32,
    })
    return [
      {
        name: 'REST list of 50 of 10,000 VMs, p99 with 32 connections',
        berth: { perSecond, p50Ms, p99Ms },
        value: p99Ms,
        unit: 'ms',
        target: { atMost: 100 },
      },
    ]
  },
}

/** Measures the time that PostgreSQL needs for one page of a long list. */
export const vmPage: Bench = {
  name: 'a page of 100,000 VMs',
  async run(world) {
    const tenantId = await vmsOf(world, { count: 100_000, tenants: 1 })
    await using child = await startChild({
      program: await world.inside('page'),
      env: { BENCH_DATABASE_URL: await world.databaseUrl(), BENCH_TENANT_ID: tenantId },
    })
    const value = await child.ask<number>({})
    return [
      {
        name: 'page of 50 within 100,000 VMs, in PostgreSQL',
        berth: {},
        value,
        unit: 'ms',
        target: { atMost: 1 },
      },
    ]
  },
}

interface Filling {
  count: number
  /**
   * The default tenant has 1,100 VMs and the other tenants share the rest; a single tenant has all.
   */
  tenants: number
}

/** Creates VMs up to this number and returns the ID of the default tenant. */
export async function vmsOf(world: World, { count, tenants }: Filling): Promise<string> {
  // The API process has migrated the database.
  await world.berth()
  const sql = await world.sql()
  const { rows } = await sql.query<{ id: string }>(`select id from tenant where slug = 'default'`)
  const tenantId = rows[0]?.id ?? ''
  await sql.query(
    `insert into vm (id, tenant_id, name, display_name, template_id, template_name, service_offering_id, image, os_type, cpu, memory_mi, root_disk,
       boot_disk_size_gi, ip, user_data, state, cluster_uid, applied_generation)
     select gen_random_uuid(), coalesce((select id from tenant where n > 1100 and slug = 'bench-' || n % $3), $1), 'vm-' || lpad(n::text, 6, '0'),
       'VM number ' || n, (select id from vm_template order by id limit 1), 'Ubuntu 22.04',
       (select id from service_offering order by id limit 1), 'quay.io/containerdisks/ubuntu:22.04', 'linux', 2, 4096, 'persistent', 10,
       '10.0.0.1', '', 'Running', gen_random_uuid()::text, 1
       from generate_series((select count(*) + 1 from vm where name like 'vm-%'), $2::int) n`,
    [tenantId, count, tenants],
  )
  await sql.query(
    `insert into nic (id, tenant_id, vm_id, ordinal, kind, mac, rest_seconds)
     select gen_random_uuid(), tenant_id, id, 0, 'pod', '02:00:00:' || substr(hex, 1, 2) || ':' || substr(hex, 3, 2) || ':' || substr(hex, 5, 2), 0
       from vm, lpad(to_hex(substr(name, 4)::int), 6, '0') hex where name like 'vm-%' and id not in (select vm_id from nic)`,
  )
  await sql.query('vacuum analyze vm')
  await sql.query('vacuum analyze nic')
  return tenantId
}
