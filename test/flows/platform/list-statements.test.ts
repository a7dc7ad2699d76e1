import { randomUUID } from 'node:crypto'
import {
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { type GraphWorld, aGraphWorld, root } from '../../support/world/graphql-world.ts'
import { type Json } from '../../support/json.ts'

const schema = buildBerthSchema()
// Lists with a required argument belong to one object and are read together with it.
const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
  ({ type, args }) =>
    getNamedType(type).name.endsWith('Connection') && !args.some(isRequiredArgument),
)

/** Selects every field of a row two levels deep; of a list inside it, the first two rows. */
const shownOf = (type: GraphQLObjectType, depth = 2): string => fieldsOf(type, depth).join(' ')

const fieldsOf = (type: GraphQLObjectType, depth: number): string[] =>
  Object.values(type.getFields()).flatMap(({ name, args, type: of }) => {
    const required = args.filter(isRequiredArgument).map((arg) => arg.name)
    if (required.some((arg) => arg !== 'first')) return []
    const field = required.length > 0 ? `${name}(first: 2)` : name
    const named = getNamedType(of)
    if (isLeafType(named)) return [field]
    return isObjectType(named) && depth > 0 ? [`${field} { ${shownOf(named, depth - 1)} }`] : []
  })

/**
 * The fields of a row in parts, because a document with all of them is too large: the plain fields,
 * and each object with its own fields and objects.
 */
function partsOf(type: GraphQLObjectType): string[] {
  const plain = fieldsOf(type, 0)
  return [plain.join(' '), ...fieldsOf(type, 2).filter((field) => !plain.includes(field))]
}

const rows = 60
const longLists = ['vms', 'tenants', 'operations', 'volumes', 'volumeSnapshots', 'vmSnapshots']
const vpcId = randomUUID()
const filling = (tenantId: string): string => `
insert into tenant (id, name, slug, namespace, state) select gen_random_uuid(), 'Many ' || n, 'many-' || n, 'berth-many-' || n, 'active' from generate_series(1, ${rows}) n;
insert into service_offering (id, name, display_name, cpu, memory_mi) values (gen_random_uuid(), 'small', 'Small', 1, 64);
insert into vm_template (id, name, display_name, image, source_type) values (gen_random_uuid(), 'ubuntu', 'Ubuntu', 'quay.io/x', 'container');
insert into vm (id, tenant_id, name, display_name, template_name, image, os_type, cpu, memory_mi, root_disk, boot_disk_size_gi, user_data,
    service_offering_id, template_id, delete_protection, disk_progress)
  select gen_random_uuid(), '${tenantId}', 'many-' || n, 'Many', 'Ubuntu', 'quay.io/x', 'linux', 1, 64, 'ephemeral', 1, '', (select id from service_offering limit 1), (select id from vm_template limit 1), true, 7
    from generate_series(1, ${rows}) n;
insert into vpc (id, tenant_id, name, cidr, namespace) values ('${vpcId}', '${tenantId}', 'many', '10.0.0.0/16', 'vpc-many');
insert into network (id, tenant_id, vpc_id, vpc_cidr, name, cidr, gateway, attachment_namespace, attachment_name)
  select gen_random_uuid(), tenant_id, id, cidr, 'many', '10.0.0.0/24', '10.0.0.1', namespace, 'net-many' from vpc where id = '${vpcId}';
insert into nic (id, tenant_id, vm_id, ordinal, kind, mac, rest_seconds, network_id, network_cidr, address)
  select gen_random_uuid(), vm.tenant_id, vm.id, n, kind, '02:00:00:00:' || lpad(to_hex(n), 2, '0') || ':' || lpad(to_hex(split_part(vm.name, '-', 2)::int), 2, '0'), 0,
    network.id, network.cidr, case kind when 'private' then '10.0.0.2'::inet + split_part(vm.name, '-', 2)::int end
    from vm, (values (0, 'pod'), (1, 'private')) as wanted (n, kind) left join network on kind = 'private' and network.vpc_id = '${vpcId}';
insert into volume (id, tenant_id, name, size_gi, storage_class) select gen_random_uuid(), '${tenantId}', 'many-' || n, 1, 'fast' from generate_series(1, ${rows}) n;
update volume set vm_id = vm.id from vm where vm.name = volume.name;
insert into volume_snapshot (id, tenant_id, volume_id, volume_name, name, size_gi, storage_class, snapshot_class)
  select gen_random_uuid(), tenant_id, id, name, name, 1, 'fast', 'fast-snap' from volume;
insert into vm_snapshot (id, tenant_id, vm_id, vm_name, name, origin, vm_disks, cpu, memory_mi, dedicated_cpu, disks)
  select gen_random_uuid(), tenant_id, id, name, name, 'asked', '[]', 1, 64, false, '[{"name": "root", "sizeGi": 1, "included": true}]' from vm;
insert into snapshot_schedule (id, tenant_id, name, vm_id, cron, time_zone, keep, accept_missing, owner_id, owner_name)
  select gen_random_uuid(), tenant_id, name, id, '30 2 * * *', 'Europe/Lisbon', 3, true, gen_random_uuid(), 'root' from vm;
insert into operation (id, tenant_id, kind, target_kind, target_id, target_name, actor_id, actor_name, steps, payload, cancellable, request_id, deadline)
  select gen_random_uuid(), vm.tenant_id, 'deploy_vm', 'vm', vm.id, vm.name, gen_random_uuid(), 'root', '[]', '{}', false, '', now() + interval '1 hour' from vm`

describe('lists', () => {
  let world: GraphWorld
  /** Returns the statements that the connections of this process sent. */
  let textsOf: () => string[]
  let forget: () => void
  beforeAll(async () => {
    world = await aGraphWorld()
    const { id } = await world.aTenant()
    await world.database.sql(filling(id))
    world.viewers.set('root', { ...root, homeTenantId: id, tenantId: id })
    const queries = vi.spyOn(pg.Client.prototype, 'query')
    textsOf = () =>
      queries.mock.calls.map(([query]: unknown[]) => (query as { text?: string }).text ?? '')
    forget = () => queries.mockClear()
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await world[Symbol.asyncDispose]()
  })

  const nodeTypeOf = (name: string): GraphQLObjectType => {
    const list = lists.find((each) => each.name === name)
    const nodes = (getNamedType(list?.type) as GraphQLObjectType).getFields()['nodes']
    return getNamedType(nodes?.type) as GraphQLObjectType
  }

  async function read(
    name: string,
    shown: string,
    first: number,
  ): Promise<{ count: number; statements: string[] }> {
    forget()
    const { json } = await world.post(
      // The page size is a literal, because a variable is charged as the largest page.
      { query: `{ ${name}(first: ${first}) { nodes { ${shown} } pageInfo { hasNextPage } } }` },
      { token: 'root' },
    )
    expect(json.errors).toBeUndefined()
    // Polls of the change log run at any time and are not counted.
    return {
      count: json.data[name].nodes.length,
      statements: textsOf().filter((text) => !text.includes('pg_snapshot_xmin')),
    }
  }

  /** Returns the shortest of three reads, because background work can only add statements. */
  async function leastOf(...list: Parameters<typeof read>): ReturnType<typeof read> {
    const tries = [await read(...list), await read(...list), await read(...list)]
    return tries.reduce((least, each) =>
      each.statements.length < least.statements.length ? each : least,
    )
  }

  const ask = async (query: string): Promise<Json> => {
    const { json } = await world.post({ query }, { token: 'root' })
    expect(json.errors).toBeUndefined()
    return json.data
  }

  const parts: Readonly<Record<string, [list: string, one: string]>> = {
    Vm: ['vms', 'vm'],
    Volume: ['volumes', 'volume'],
    VolumeSnapshot: ['volumeSnapshots', 'volumeSnapshot'],
    VmSnapshot: ['vmSnapshots', 'vmSnapshot'],
  }
  const fieldsOfType = (type: string): string[] =>
    fieldsOf(schema.getType(type) as GraphQLObjectType, 1)

  // A query reads only the selected columns, but a computed field may need more of them. The
  // query with a fragment reads all columns and is the reference.
  test.each(
    Object.keys(parts).flatMap((type) => fieldsOfType(type).map((field) => [type, field] as const)),
  )(
    'a list of %s and a single object that select only %s show the same value',
    async (type, field) => {
      const [list = '', one = ''] = parts[type] ?? []
      const [{ id }] = (await ask(`{ ${list}(first: 1) { nodes { id } } }`))[list].nodes
      const whole = (await ask(`{ ${one}(id: "${id}") { ... on ${type} { ${field} } } }`))[one]
      const [listed] = (await ask(`{ ${list}(first: 1) { nodes { ${field} } } }`))[list].nodes
      expect(listed).toEqual(whole)
      expect((await ask(`{ ${one}(id: "${id}") { ${field} } }`))[one]).toEqual(whole)
    },
  )

  test.each(lists.map(({ name }) => name))(
    'a list of %s sends as many statements for many rows as for one row',
    async (name) => {
      for (const shown of partsOf(nodeTypeOf(name))) {
        const [few, many] = [await leastOf(name, shown, 1), await leastOf(name, shown, rows)]
        expect(few.statements.length, shown).toBeGreaterThan(0)
        expect(many.statements, shown).toEqual(few.statements)
        if (longLists.includes(name)) expect(many.count).toBe(rows)
      }
    },
  )
})
