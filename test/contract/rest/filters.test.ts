import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { type RestRoute } from '../../../server/src/engine/rest/route.ts'
import { type Json } from '../../support/json.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
})

/** Reads a list page by page, with one object in each. */
async function rowsIn(path: string): Promise<Json[]> {
  const read: Json[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const { status, headers, body } = await tenant.admin.rest('GET', next)
    expect([next, status]).toEqual([next, 200])
    const [rows = []] = Object.values<Json[]>(body)
    expect(rows.length).toBeLessThanOrEqual(1)
    read.push(...rows)
    next = /<\/api\/v1(.+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
  }
  return read
}

const namesIn = async (path: string): Promise<string[]> =>
  (await rowsIn(path)).map(({ name }) => String(name))

describe('the list of VMs', () => {
  const made: Json = {}
  beforeAll(async () => {
    const context = { world, tenant }
    const [network, one, other] = [
      await make.network(context),
      await make.template(context),
      await make.template(context),
    ]
    Object.assign(made, { network, one, other, moment: {} })
    const create = async (name: string, more: Json): Promise<void> => {
      const { status, body } = await tenant.admin.rest('POST', '/vms', {
        body: { name, root_disk: 'ephemeral', start: false, ...more },
        headers: { prefer: 'wait=20' },
      })
      expect([status, name]).toEqual([201, name])
      made.moment[name] = body.vm.created_at
    }
    await create('a-blue', { template_id: one.id, tags: ['blue'], network_ids: [network.id] })
    await create('b-both', { template_id: one.id, tags: ['blue', 'red'], start: true })
    await create('c-none', { template_id: other.id })
    const [row] = await world.database.sql(`select host from vm where name = 'b-both'`)
    made.host = row?.['host']
    const { vmByName } = await tenant.admin.ask(
      '{ vmByName(name: "a-blue") { nics { address mac } } }',
    )
    made.nic = vmByName.nics.find((nic: Json) => nic.address !== null)
    // The running VM has no NIC of a network, so its only address is what its guest reports.
    const reported = async (): Promise<boolean> => {
      const { vmByName } = await tenant.admin.ask('{ vmByName(name: "b-both") { addresses } }')
      ;[made.reported] = vmByName.addresses
      return made.reported !== undefined
    }
    await waitFor(reported, { what: 'an address of the running VM' })
    expect(made.host).toEqual(expect.any(String))
  })

  test.each<[string, () => string, string[]]>([
    ['tag', () => 'tag=blue', ['a-blue', 'b-both']],
    ['another tag', () => 'tag=red', ['b-both']],
    ['an absent tag', () => 'tag=green', []],
    ['template_id', () => `template_id=${made.one.id}`, ['a-blue', 'b-both']],
    ['an absent template_id', () => 'template_id=nonsense', []],
    ['network_id', () => `network_id=${made.network.id}`, ['a-blue']],
    ['host', () => `host=${made.host}`, ['b-both']],
    ['state', () => 'state=Stopped', ['a-blue', 'c-none']],
    ['two states', () => 'state=Stopped&state=Running', ['a-blue', 'b-both', 'c-none']],
    [
      'created_after',
      () => `created_after=${encodeURIComponent(made.moment['a-blue'])}`,
      ['b-both', 'c-none'],
    ],
    ['several filters', () => `tag=blue&state=Stopped&template_id=${made.one.id}`, ['a-blue']],
    ['a search', () => 'filter=b-&tag=blue', ['b-both']],
    ['a search for part of a tag', () => 'filter=BLU', ['a-blue', 'b-both']],
    ['a search for an assigned address', () => `filter=${made.nic.address}`, ['a-blue']],
    ['a search for a MAC', () => `filter=${made.nic.mac.toUpperCase()}`, ['a-blue']],
    ['a search for an address that the guest reports', () => `filter=${made.reported}`, ['b-both']],
  ])('%s filters, and the pages keep the order', async (_, filter, names) => {
    expect(await namesIn(`/vms?limit=1&${filter()}`)).toEqual(names)
    expect(await namesIn(`/vms?limit=1&sort=-created_at&${filter()}`)).toEqual(names.toReversed())
  })

  test('a misspelt state is refused with the nearest one', async () => {
    const { status, body } = await tenant.admin.rest('GET', '/vms?state=runing')
    expect([status, body.fields]).toEqual([
      400,
      [{ path: 'state[0]', message: expect.stringContaining('did you mean Running?') }],
    ])
  })
})

interface SortedList {
  path: string
  sorts: readonly string[]
}

/** The lists of accounts and of what they did, in the words of REST. */
const listsOfAccess: readonly SortedList[] = [
  'users',
  'roles',
  'api-keys',
  'sessions',
  'operations',
  'audit-events',
].map((name) => {
  const row = restRoutes.find(({ method, path }) => method === 'GET' && path === `/api/v1/${name}`)
  return { path: `/${name}`, sorts: row?.query?.['sort']?.schema.enum ?? [] }
})

describe('the lists of accounts', () => {
  beforeAll(async () => {
    const context = { world, tenant }
    for (let n = 0; n < 2; n += 1) {
      await make.user(context)
      await make.role(context)
      await make.key(context)
      await make.session(context)
      await make.vpc(context)
    }
  })

  test.each(listsOfAccess)(
    '$path sorts in both directions, page by page',
    async ({ path, sorts }) => {
      const fields = sorts.filter((sort) => !sort.startsWith('-'))
      expect(fields.length).toBeGreaterThan(0)
      for (const field of fields) {
        const up = await rowsIn(`${path}?limit=1&sort=${field}`)
        const down = await rowsIn(`${path}?limit=1&sort=-${field}`)
        expect(up.length).toBeGreaterThan(1)
        expect(down.map(({ id }) => id)).toEqual(up.map(({ id }) => id).toReversed())
        const values = up.map((row) => String(row[field]))
        expect(values).toEqual(values.toSorted())
      }
    },
  )
})

/** The lists of objects that a user creates, whose age is a filter. */
const ageing = restRoutes.filter((row) => row.query?.['created_after'])

test('the lists of all nouns that users create filter by age', () => {
  expect(ageing.map(({ path }) => path.replace('/api/v1/', '')).sort()).toEqual([
    'networks',
    'platform-vms',
    'security-groups',
    'snapshot-schedules',
    'snapshots',
    'ssh-keys',
    'tenants',
    'unmanaged-vms',
    'vm-snapshots',
    'vm-templates',
    'vms',
    'volumes',
    'vpcs',
  ])
})

const named = (row: RestRoute): [string, RestRoute] => [row.path.replace('/api/v1', ''), row]

/** Returns a value that no object has. */
function absentValueOf(filter: string): string {
  if (filter === 'created_after') return '2199-01-01T00:00:00Z'
  return filter.endsWith('_id') ? randomUUID() : unique('absent')
}

describe.each(ageing.map(named))('GET %s', (path, row) => {
  test('every filter is accepted with every sort, and an absent value matches nothing', async () => {
    const { sort, ...filters } = row.query ?? {}
    const sorts = sort?.schema.enum ?? []
    expect(sorts).toContain('-created_at')
    for (const [name, { schema }] of Object.entries(filters)) {
      const words = schema.items?.enum ?? schema.enum
      const value = words ? words.at(-1) : absentValueOf(name)
      for (const by of sorts) {
        const address = `${path}?${name}=${value}&sort=${by}`
        const { status, body } = await world.root.rest('GET', address)
        expect([address, status]).toEqual([address, 200])
        if (!words) expect([address, Object.values(body)]).toEqual([address, [[]]])
      }
    }
  })

  test('a time that is none is refused', async () => {
    for (const value of ['yesterday', '2026-02-30T00:00:00Z', '2026-08-17', '0']) {
      const { status, body } = await world.root.rest('GET', `${path}?created_after=${value}`)
      expect([value, status, body.fields?.[0]?.path]).toEqual([value, 400, 'created_after'])
    }
  })
})
