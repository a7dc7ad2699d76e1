import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, aDatabase } from '../../support/postgres/database.ts'
import { fc } from '../../support/property-testing.ts'

/* Compares the address allocation of the database with a model of ten lines. */
let database: TestDatabase
const [tenantId, strangerId, vpcId, vmId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
beforeAll(async () => {
  database = await aDatabase()
  await database.sql(
    `insert into tenant (id, name, slug, namespace, state) values ('${tenantId}', 'T', 't', 't', 'active')`,
  )
  await database.sql(
    `insert into vpc (id, tenant_id, name, cidr, namespace) values ('${vpcId}', '${tenantId}', 'v', '10.0.0.0/8', 'v')`,
  )
  await database.sql(`insert into vm (id, tenant_id, name, display_name, template_name, image, os_type, cpu, memory_mi, root_disk, boot_disk_size_gi, user_data)
    values ('${vmId}', '${tenantId}', 'vm', 'vm', 't', 'i', 'linux', 1, 64, 'ephemeral', 1, '')`)
})

let networks = 0
/**
 * Creates a network. Every allocated address rests from the start, so that one VM can hold them
 * all.
 */
async function aNetwork(cidr: string): Promise<string> {
  const id = randomUUID()
  await database.sql(`delete from network`)
  await database.sql(`insert into network (id, tenant_id, vpc_id, vpc_cidr, name, cidr, gateway, attachment_namespace, attachment_name)
    values ('${id}', '${tenantId}', '${vpcId}', '10.0.0.0/8', 'n${networks++}', '${cidr}', host('${cidr}'::cidr)::inet + 1, 'v', 'net-${id}')`)
  return id
}

/** Returns SQL for a row with this address and MAC. Both may be expressions. */
const rowIn = (
  network: string,
  cidr: string,
  { address, mac }: { address: string; mac: string },
): string => `
insert into nic (id, tenant_id, vm_id, ordinal, kind, mac, rest_seconds, free_at, network_id, network_cidr, address)
  select gen_random_uuid(), '${tenantId}', '${vmId}', 1, 'private', ${mac}, 0, now() + interval '1 hour', '${network}', '${cidr}', ${address}`

const randomMac = `'02:' || substr(md5(random()::text), 1, 2) || ':' || substr(md5(random()::text), 1, 2) || ':' || substr(md5(random()::text), 1, 2)
  || ':' || substr(md5(random()::text), 1, 2) || ':' || substr(md5(random()::text), 1, 2)`

async function take(
  network: string,
  cidr: string,
  [first, last]: readonly [string, string],
): Promise<string | null> {
  const free = `next_free_address('${network}', array['${first}'::inet], array['${last}'::inet])`
  const [row] =
    await database.sql(`with free as (select ${free} as address), inserted as (${rowIn(network, cidr, { address: 'address', mac: randomMac })} from free
    where address is not null) select host(address) as address from free`)
  return (row?.['address'] as string | null) ?? null
}

const addressOf = (host: number): string => `10.0.0.${host}`

/**
 * Returns the first free address after the last allocated one, then from the start of the range.
 */
function nextFit(allocated: readonly number[], from: number, to: number): number | null {
  const after = (allocated.at(-1) ?? from - 1) + 1
  const hosts = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const isFree = (host: number): boolean => !allocated.includes(host)
  return hosts.find((host) => host >= after && isFree(host)) ?? hosts.find(isFree) ?? null
}

describe('the next address of a network', () => {
  test('the next address equals the one of the model after any allocations and releases', async () => {
    const action = fc.oneof(
      { weight: 3, arbitrary: fc.constant('take' as const) },
      { weight: 1, arbitrary: fc.nat(20) },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 1, maxLength: 30 }),
        fc.constantFrom(29, 28),
        async (actions, prefix) => {
          const cidr = `10.0.0.0/${prefix}`
          const last = 2 ** (32 - prefix) - 2
          const network = await aNetwork(cidr)
          let allocated: number[] = []
          for (const each of actions) {
            if (each === 'take') {
              const expected = nextFit(allocated, 2, last)
              expect(await take(network, cidr, [addressOf(2), addressOf(last)])).toBe(
                expected === null ? null : addressOf(expected),
              )
              if (expected !== null) allocated = [...allocated, expected]
            } else if (allocated.length > 0) {
              const back = allocated[each % allocated.length]
              await database.sql(
                `update nic set free_at = now() - interval '1 second' where network_id = '${network}' and host(address) = '10.0.0.${back}'`,
              )
              allocated = allocated.filter((host) => host !== back)
            }
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  test('the next address is the last free one of a /18, and null when none is free', async () => {
    const cidr = '10.7.0.0/18'
    const network = await aNetwork(cidr)
    const range = ['10.7.0.2', '10.7.63.254'] as const
    const mac = `'02:01:' || substr(hex, 1, 2) || ':' || substr(hex, 3, 2) || ':' || substr(hex, 5, 2) || ':00'`
    await database.sql(`${rowIn(network, cidr, { address: `'10.7.0.0'::inet + n`, mac })}
      from generate_series(2, 16382) n, lpad(to_hex(n), 6, '0') hex where n <> 8000`)
    expect(await take(network, cidr, range)).toBe('10.7.31.64')
    expect(await take(network, cidr, range)).toBeNull()
  })
})

const at = (address: string, mac = '02:00:00:00:00:01') => ({
  address: `'${address}'`,
  mac: `'${mac}'`,
})

describe('the table of NICs', () => {
  test.each([
    ['the network address', '10.9.0.0'],
    ['the gateway address', '10.9.0.1'],
    ['the broadcast address', '10.9.0.255'],
    ['an address of another network', '10.9.1.2'],
  ])('the table refuses %s', async (_what, address) => {
    const network = await aNetwork('10.9.0.0/24')
    await expect(database.sql(rowIn(network, '10.9.0.0/24', at(address)))).rejects.toThrow(
      'nic_address_for_vms',
    )
  })

  test('the table refuses a duplicate address and a duplicate MAC', async () => {
    const network = await aNetwork('10.9.0.0/24')
    const insert = (address: string, mac: string) =>
      database.sql(rowIn(network, '10.9.0.0/24', at(address, mac)))
    await insert('10.9.0.2', '02:00:00:00:00:01')
    await expect(insert('10.9.0.2', '02:00:00:00:00:02')).rejects.toThrow('nic_address_key')
    await expect(insert('10.9.0.3', '02:00:00:00:00:01')).rejects.toThrow('nic_mac_key')
  })

  test('the table refuses a network of another tenant', async () => {
    const network = await aNetwork('10.9.0.0/24')
    const stranger = rowIn(network, '10.9.0.0/24', at('10.9.0.2')).replace(
      `'${tenantId}'`,
      `'${strangerId}'`,
    )
    await database.sql(
      `insert into tenant (id, name, slug, namespace, state) values ('${strangerId}', 'S', 's', 's', 'active')`,
    )
    await expect(database.sql(stranger)).rejects.toThrow('foreign key')
  })
})
