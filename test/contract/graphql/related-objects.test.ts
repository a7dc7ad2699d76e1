import { randomUUID } from 'node:crypto'
import { type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { type Permission } from '../../../server/src/engine/model/permission.ts'
import { type GraphWorld, aGraphWorld, adminOf, root } from '../../support/world/graphql-world.ts'
import { type Json } from '../../support/json.ts'

const schema = buildBerthSchema()
const outputTypes = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
)

/** Fields with the id of an object that the same object does not show, each with the reason. */
const bareIds: Readonly<Record<string, string>> = {
  'ApiKey.tenantId': 'clients see only keys of their own tenant',
  'ApiKey.userId': 'the key has the name of its user',
  'AuditEvent.actorId': 'the event has the name of that time',
  'AuditEvent.targetId': 'the event has the name of that time',
  'AuditEvent.tenantId': 'the event has the name of that time',
  'Change.objectId': 'a change is an identity and nothing more',
  'Change.tenantId': 'a change is an identity and nothing more',
  'Role.tenantId': 'the roles of a tenant are those of the caller',
  'Session.tenantId': 'clients see only logins of their own tenant',
  'Session.userId': 'the login has the name of its user',
  'User.roleId': '`User.role` is a word since the first version',
  'Viewer.homeTenantId': '`Viewer.tenant` is where the caller acts',
  'Viewer.roleId': '`Viewer.role` is a word since the first version',
  'VmSecurityRule.groupId': '`VmSecurity.groups` has the group',
  'VmSnapshotDisk.volumeId': 'the disk has the name of that time',
}

test('every id of another object has the object beside it, or a written reason', () => {
  const idFields = outputTypes.flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => getNamedType(field.type).name === 'ID' && field.name !== 'id')
      .map((field) => ({ type, field })),
  )
  const without = idFields.filter(({ type, field }) => {
    const beside = { supersededBy: 'successor', heldBy: 'holder', targetId: 'target' }
    const name = beside[field.name as keyof typeof beside] ?? field.name.replace(/Id$/, '')
    const shown = type.getFields()[name]
    return !shown || isLeafType(getNamedType(shown.type))
  })
  expect(without.map(({ type, field }) => `${type.name}.${field.name}`).sort()).toEqual(
    Object.keys(bareIds).sort(),
  )
})

const ids = {
  vm: randomUUID(),
  volume: randomUUID(),
  snapshot: randomUUID(),
  network: randomUUID(),
}
const foreign = { vm: randomUUID(), volume: randomUUID(), operation: randomUUID() }

const vmOf = (tenantId: string, id: string): string => `
insert into vm (id, tenant_id, name, display_name, template_name, image, os_type, cpu, memory_mi, root_disk, boot_disk_size_gi, user_data,
    service_offering_id, template_id)
  select '${id}', '${tenantId}', 'web', 'Web', 'Ubuntu', 'quay.io/x', 'linux', 1, 64, 'ephemeral', 1, '',
    (select id from service_offering order by name limit 1), (select id from vm_template where tenant_id is null order by name limit 1)`

const operationOn = (tenantId: string, vmId: string, minutesAgo: number): string => `
insert into operation (id, tenant_id, kind, target_kind, target_id, target_name, actor_id, actor_name, steps, payload, cancellable, request_id, deadline, created_at)
  values (gen_random_uuid(), '${tenantId}', 'deploy_vm', 'vm', '${vmId}', 'web-${minutesAgo}', gen_random_uuid(), 'root', '[]', '{}', false, '',
    now(), now() - interval '${minutesAgo} minutes')`

let world: GraphWorld
let tenantId: string
let token: string
/** Returns a token of a user of the tenant with these permissions. */
const tokenWith = (...permissions: Permission[]): string => {
  const limited = `token-${permissions.join()}`
  world.viewers.set(limited, { ...adminOf(tenantId), permissions: new Set(permissions) })
  return limited
}
async function ask(query: string, as = token): Promise<Json> {
  const { json } = await world.post({ query }, { token: as })
  expect(json.errors).toBeUndefined()
  return json.data
}

beforeAll(async () => {
  world = await aGraphWorld()
  ;({ id: tenantId, token } = await world.aTenant())
  const { id: rivalId } = await world.aTenant()
  const vpcId = randomUUID()
  for (const statement of [
    `insert into service_offering (id, name, display_name, cpu, memory_mi) values (gen_random_uuid(), 'small', 'Small', 1, 64)`,
    `insert into vm_template (id, name, display_name, image, source_type) values (gen_random_uuid(), 'ubuntu', 'Ubuntu', 'quay.io/x', 'container')`,
    vmOf(tenantId, ids.vm),
    vmOf(rivalId, foreign.vm),
    `insert into volume (id, tenant_id, name, size_gi, storage_class, vm_id) values ('${ids.volume}', '${tenantId}', 'data', 1, 'fast', '${ids.vm}')`,
    `insert into volume (id, tenant_id, name, size_gi, storage_class) values ('${foreign.volume}', '${rivalId}', 'data', 1, 'fast')`,
    ...[tenantId, rivalId].map(
      (
        owner,
      ) => `insert into volume_snapshot (id, tenant_id, volume_id, volume_name, name, size_gi, storage_class, snapshot_class)
        values (gen_random_uuid(), '${owner}', '${owner === tenantId ? ids.volume : foreign.volume}', 'data', 'one', 1, 'fast', 'fast-snap')`,
    ),
    `insert into vpc (id, tenant_id, name, cidr, namespace) values ('${vpcId}', '${tenantId}', 'many', '10.0.0.0/16', 'vpc-many')`,
    `insert into network (id, tenant_id, vpc_id, vpc_cidr, name, cidr, gateway, attachment_namespace, attachment_name)
      values ('${ids.network}', '${tenantId}', '${vpcId}', '10.0.0.0/16', 'inner', '10.0.0.0/24', '10.0.0.1', 'vpc-many', 'net-many')`,
    `insert into nic (id, tenant_id, vm_id, ordinal, kind, mac, rest_seconds, network_id, network_cidr, address)
      values (gen_random_uuid(), '${tenantId}', '${ids.vm}', 0, 'private', '02:00:00:00:00:01', 0, '${ids.network}', '10.0.0.0/24', '10.0.0.2')`,
    ...[3, 1, 2].map((minutesAgo) => operationOn(tenantId, ids.vm, minutesAgo)),
    // Rows that name an object of another tenant. No use case writes such a row.
    operationOn(rivalId, ids.vm, 0),
    operationOn(tenantId, foreign.vm, 60),
    `update operation set id = '${foreign.operation}' where tenant_id = '${rivalId}'`,
    `update operation set superseded_by = '${foreign.operation}' where target_name = 'web-3'`,
  ])
    await world.database.sql(statement)
  world.viewers.set('inTenant', { ...root, homeTenantId: tenantId, tenantId })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('objects beside ids', () => {
  test('a VM shows its template, offering, tenant, networks and newest operations', async () => {
    const { vm } = await ask(
      `{ vm(id: "${ids.vm}") { template { id } templateId serviceOffering { id } serviceOfferingId tenant { id } networks { name vpc { name } } operations(first: 2) { targetName } volumes { vm { name } snapshots(first: 5) { name volume { id } } } } }`,
    )
    expect([vm.templateId, vm.serviceOfferingId]).not.toContain(null)
    expect(vm).toMatchObject({
      template: { id: vm.templateId },
      serviceOffering: { id: vm.serviceOfferingId },
      tenant: { id: tenantId },
      networks: [{ name: 'inner', vpc: { name: 'many' } }],
      operations: [{ targetName: 'web-1' }, { targetName: 'web-2' }],
      volumes: [{ vm: { name: 'web' }, snapshots: [{ name: 'one', volume: { id: ids.volume } }] }],
    })
  })

  test('a list shows the same objects as a single object', async () => {
    const fields = 'template { name } tenant { slug } networks { name } operations(first: 9) { id }'
    const { vms } = await ask(`{ vms(first: 5) { nodes { ${fields} } } }`)
    const { vm } = await ask(`{ vm(id: "${ids.vm}") { ${fields} } }`)
    expect(vms.nodes).toEqual([vm])
    expect(vm.operations).toHaveLength(3)
  })

  test('an object without the permission to read it is null, and the rest of the answer stays', async () => {
    const query = `{ vm(id: "${ids.vm}") { name networks { id } nics { network { id } vpc { id } } template { name } volumes { name vm { name } } } }`
    const onlyVms = await ask(query, tokenWith('vms:read'))
    expect(onlyVms.vm).toMatchObject({
      networks: null,
      nics: [{ network: null, vpc: null }],
      template: { name: expect.any(String) },
    })
    const onlyVolumes = tokenWith('volumes:read')
    const { volume } = await ask(
      `{ volume(id: "${ids.volume}") { name vmId vm { name } } }`,
      onlyVolumes,
    )
    expect(volume).toEqual({ name: 'data', vmId: ids.vm, vm: null })
  })

  test('an object of another tenant is absent, even when a row names it', async () => {
    const { operations } = await ask(
      '{ operations(first: 5) { nodes { targetName supersededBy successor { id } } } }',
    )
    expect(operations.nodes).toHaveLength(4)
    expect(operations.nodes).toContainEqual({
      targetName: 'web-3',
      supersededBy: foreign.operation,
      successor: null,
    })
    // The positive control: root sees both tenants.
    const { vm } = await ask(
      `{ vm(id: "${ids.vm}") { operations(first: 9) { successor { id } } } }`,
      'inTenant',
    )
    expect(vm.operations).toContainEqual({ successor: { id: foreign.operation } })
  })

  test('an operation shows its target with its type, and null for a foreign or a forbidden one', async () => {
    const query =
      '{ operations(first: 9) { nodes { targetName target { __typename id ... on Vm { name } } } } }'
    const target = { __typename: 'Vm', id: ids.vm, name: 'web' }
    const { operations } = await ask(query)
    expect(operations.nodes).toContainEqual({ targetName: 'web-1', target })
    expect(operations.nodes).toContainEqual({ targetName: 'web-60', target: null })
    const limited = await ask(query, tokenWith('volumes:read'))
    expect(limited.operations.nodes).toContainEqual({ targetName: 'web-1', target: null })
  })

  test('a page size below one is refused', async () => {
    const { json } = await world.post(
      { query: `{ vm(id: "${ids.vm}") { operations(first: 0) { id } } }` },
      { token },
    )
    expect(json.errors?.[0]?.extensions['code']).toBe('invalid_input')
  })

  test('the cost of a list inside a list counts its rows', async () => {
    const { json } = await world.post(
      { query: '{ vms(first: 200) { nodes { operations(first: 200) { id kind state } } } }' },
      { token },
    )
    expect(json.errors?.[0]?.extensions['code']).toBe('query_refused')
  })
})
