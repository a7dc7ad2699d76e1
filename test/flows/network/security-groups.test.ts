import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { stateHash } from '../../support/world/database-state.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let other: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  other = await world.tenant()
})

const fields =
  'id tenantId name description isDefault version rules { direction protocol portFrom portTo cidr peerGroupId }'
const uses = `query ($id: ID!) { securityGroup(id: $id) {
  uses { vms { names total } groups { names total } } refusals { rename delete } enforcement { enforced reason } } }`
const create = `mutation ($i: CreateSecurityGroupInput!) { createSecurityGroup(input: $i) { securityGroup { ${fields} } operation { id } } }`
const update = `mutation ($i: UpdateSecurityGroupInput!, $w: Int) {
  updateSecurityGroup(input: $i, waitSeconds: $w) { securityGroup { ${fields} } operation { kind state } } }`
const remove =
  'mutation ($i: DeleteSecurityGroupInput!) { deleteSecurityGroup(input: $i) { securityGroup { id } } }'
const set = `mutation ($i: SetVmSecurityGroupsInput!, $w: Int) {
  setVmSecurityGroups(input: $i, waitSeconds: $w) { vm { id version security { groups { name } inForce } } operation { kind state } } }`
const list = `query ($first: Int, $after: String, $filter: SecurityGroupFilter, $orderBy: SecurityGroupOrder) {
  securityGroups(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { totalCount pageInfo { endCursor } nodes { ${fields} } } }`
const security = `query ($id: ID!) { vm(id: $id) { security { inForce groups { id name }
  rules { groupId direction protocol portFrom cidr peerGroupId enforcement { nic enforced reason } } } } }`

const web = { direction: 'ingress', protocol: 'tcp', portFrom: 443, cidr: '0.0.0.0/0' }
const made = async (client: Client, input: Json = {}): Promise<Json> =>
  (await client.ask(create, { i: { name: unique('sg'), ...input } })).createSecurityGroup
    .securityGroup
const theDefault = async (client: Client): Promise<Json> =>
  (await client.ask(list, { first: 1 })).securityGroups.nodes[0]
const policyOf = async (id: string, { namespace } = tenant): Promise<Json> => {
  const { body } = await world.cluster.call(
    `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/vm-${id}-guard`,
  )
  return body.spec ? body : null
}
const specOf = async (id: string): Promise<Json> => (await policyOf(id))?.spec
const becomes = (id: string, isSo: (spec: Json) => boolean): Promise<void> =>
  waitFor(async () => isSo(await specOf(id)), { timeoutMs: 15_000, what: 'the policy to follow' })
const portsIn = (spec: Json): number[] =>
  (spec.ingress ?? [])
    .flatMap(({ ports }: Json) => (ports ?? []).map(({ port }: Json) => port))
    .sort()

describe('security groups', () => {
  test('a default group exists in each tenant, can be changed, and cannot be renamed or deleted', async () => {
    const group = await theDefault(other.admin)
    expect(group).toMatchObject({ name: 'default', isDefault: true, tenantId: other.id })
    expect(group.rules).toEqual([
      {
        direction: 'ingress',
        protocol: 'tcp',
        portFrom: 80,
        portTo: 80,
        cidr: '0.0.0.0/0',
        peerGroupId: null,
      },
      {
        direction: 'egress',
        protocol: 'all',
        portFrom: null,
        portTo: null,
        cidr: '0.0.0.0/0',
        peerGroupId: null,
      },
      {
        direction: 'egress',
        protocol: 'all',
        portFrom: null,
        portTo: null,
        cidr: '::/0',
        peerGroupId: null,
      },
    ])
    expect((await theDefault(world.root)).isDefault).toBe(true)
    expect((await other.admin.graphql(remove, { i: { id: group.id } })).code).toBe('read_only')
    expect((await other.admin.graphql(update, { i: { id: group.id, name: 'mine' } })).code).toBe(
      'read_only',
    )
    const changed = (
      await other.admin.ask(update, {
        i: { id: group.id, name: 'default', description: 'Ours', rules: [web] },
      })
    ).updateSecurityGroup
    expect(changed).toMatchObject({
      securityGroup: { description: 'Ours', rules: [{ portFrom: 443 }] },
      operation: null,
    })
    expect(changed.securityGroup.version).toBeGreaterThan(group.version)
  })

  test('a group is created, found, changed and deleted, and its rules are normalized', async () => {
    const name = `Web & «mail» ${unique('x')}`
    const group = await made(tenant.admin, {
      name,
      rules: [
        web,
        { ...web, portTo: 443 },
        { direction: 'egress', protocol: 'udp', portFrom: 53, cidr: '10.1.2.3/8' },
      ],
    })
    expect(group.rules).toMatchObject([
      { portFrom: 443, portTo: 443 },
      { cidr: '10.0.0.0/8', portTo: 53 },
    ])
    expect(
      (await tenant.admin.ask(list, { filter: { search: '«MAIL»' } })).securityGroups,
    ).toMatchObject({ totalCount: 1, nodes: [group] })
    const renamed = unique('renamed')
    const stale = { id: group.id, name: renamed, ifVersion: group.version + 1 }
    expect((await tenant.admin.graphql(update, { i: stale })).code).toBe('version_conflict')
    const { securityGroup } = (
      await tenant.admin.ask(update, { i: { ...stale, ifVersion: group.version } })
    ).updateSecurityGroup
    expect(securityGroup).toMatchObject({ name: renamed, rules: group.rules })
    expect(
      (await tenant.admin.ask(update, { i: { id: group.id, rules: [] } })).updateSecurityGroup
        .securityGroup.rules,
    ).toEqual([])
    expect((await tenant.admin.graphql(create, { i: { name: renamed } })).code).toBe(
      'already_exists',
    )
    await made(other.admin, { name: renamed })
    await tenant.admin.ask(remove, { i: { id: group.id } })
    expect((await tenant.admin.graphql(remove, { i: { id: group.id } })).code).toBe('not_found')
  })

  test.each([
    ['an invalid CIDR', { cidr: '10.0.0.0/33' }],
    ['a CIDR with injected YAML', { cidr: '0.0.0.0/0\n- ipBlock' }],
    ['neither a CIDR nor a group', { cidr: null }],
    ['both a CIDR and a group', { peerGroupId: randomUUID() }],
    ['ports for all protocols', { protocol: 'all' }],
    ['an invalid port', { portFrom: 65_536 }],
    ['ports in the wrong order', { portTo: 442 }],
  ])('a group with an invalid rule is refused and leaves nothing: %s', async (_what, part) => {
    const before = await stateHash(world.database)
    expect(
      (
        await tenant.admin.graphql(create, {
          i: { name: 'bad', rules: [web, { ...web, ...part }] },
        })
      ).code,
    ).toBe('invalid_input')
    expect(await stateHash(world.database)).toBe(before)
  })

  test('a group cannot reference a group of another tenant or an unknown group', async () => {
    const theirs = await made(other.admin)
    for (const peerGroupId of [theirs.id, randomUUID()]) {
      const rules = [{ direction: 'ingress', protocol: 'all', peerGroupId }]
      expect((await tenant.admin.graphql(create, { i: { name: unique('sg'), rules } })).code).toBe(
        'not_found',
      )
    }
  })

  test('the default group comes first in lists, then the groups by name', async () => {
    const owner = (await world.tenant()).admin
    for (const name of ['b', 'a']) await made(owner, { name })
    const names: string[] = []
    for (let after: string | null = null; names.length < 3;) {
      const page: Json = (await owner.ask(list, { first: 2, after })).securityGroups
      names.push(...page.nodes.map(({ name }: Json) => name))
      after = page.pageInfo.endCursor
    }
    expect(names).toEqual(['default', 'a', 'b'])
  })

  test('a group that four requests create under one name exists once', async () => {
    const name = unique('race')
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => tenant.admin.graphql(create, { i: { name } })),
    )
    expect(answers.map(({ code }) => code).sort()).toEqual([
      'already_exists',
      'already_exists',
      'already_exists',
      null,
    ])
  })

  test('a group is readable by a viewer and writable by an operator, and hidden without permission', async () => {
    const [viewer, operator] = [await tenant.as('viewer'), await tenant.as('operator')]
    const group = await made(operator)
    expect(
      (await viewer.ask(list, { filter: { search: group.name } })).securityGroups.nodes,
    ).toEqual([group])
    for (const [document, i] of [
      [create, { name: 'x' }],
      [update, { id: group.id }],
      [remove, { id: group.id }],
    ] as const)
      expect((await viewer.graphql(document, { i })).code).toBe('forbidden')
    const vm = await (await vmActions(tenant.admin)).create({ start: false })
    const { secret } = (
      await tenant.admin.rest('POST', '/api-keys', { body: { name: 'ci', scopes: ['vms:read'] } })
    ).body
    expect((await world.wire.client(secret).ask(security, { id: vm.id })).vm).toEqual({
      security: null,
    })
  })
})

describe('the firewall of a VM', () => {
  test('a VM has its firewall before it starts, and a deleted VM leaves none', async () => {
    const actions = await vmActions(tenant.admin)
    const vm = await actions.running()
    const shown = (await tenant.admin.ask(security, { id: vm.id })).vm.security
    expect(shown).toMatchObject({ inForce: true, groups: [{ name: 'default' }] })
    expect(shown.rules.map(({ enforcement }: Json) => enforcement)).toEqual(
      Array(3).fill([{ nic: 'nic0', enforced: true, reason: null }]),
    )
    const policy = await policyOf(vm.id)
    const { egress, ...spec } = policy.spec
    expect(spec).toEqual({
      podSelector: { matchLabels: { 'berth.dev/row-id': vm.id } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        { from: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ protocol: 'TCP', port: 80 }] },
      ],
    })
    // The exceptions of these ranges are tested in egress-bounds.test.ts.
    const ranges = egress.flatMap(({ to }: Json) =>
      to.flatMap(({ ipBlock }: Json) => ipBlock ?? []),
    )
    expect(ranges.map(({ cidr }: Json) => cidr)).toEqual(
      expect.arrayContaining(['0.0.0.0/0', '::/0']),
    )
    const vmPath = `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines/${vm.name}`
    const { metadata }: Json = (await world.cluster.call(vmPath)).body
    expect(Date.parse(policy.metadata.creationTimestamp)).toBeLessThanOrEqual(
      Date.parse(metadata.creationTimestamp),
    )
    await actions.ask('deleteVm', vm.id)
    await world.ended('delete_vm', vm.id)
    expect(await policyOf(vm.id)).toBeNull()
    expect(
      await world.database.sql(`select 1 from vm_security_group where vm_id = '${vm.id}'`),
    ).toEqual([])
  })

  test('the firewall of a running VM follows the union of its groups and their rules', async () => {
    const [one, two] = [
      await made(tenant.admin, { rules: [web] }),
      await made(tenant.admin, { rules: [{ ...web, portFrom: 22 }] }),
    ]
    const actions = await vmActions(tenant.admin)
    const vm = await actions.running({ securityGroupIds: [one.id] })
    expect(portsIn(await specOf(vm.id))).toEqual([443])
    const both = (
      await tenant.admin.ask(set, {
        i: { id: vm.id, securityGroupIds: [two.id, one.id, one.id] },
        w: 20,
      })
    ).setVmSecurityGroups
    expect(both.operation).toEqual({ kind: 'set_vm_security_groups', state: 'succeeded' })
    expect(both.vm.security).toMatchObject({
      inForce: true,
      groups: [one, two].map(({ name }) => ({ name })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    })
    expect(portsIn(await specOf(vm.id))).toEqual([22, 443])
    const rules = [{ ...web, portFrom: 8000, portTo: 8010 }]
    const changed = (await tenant.admin.ask(update, { i: { id: two.id, rules }, w: 20 }))
      .updateSecurityGroup
    expect(changed.operation).toEqual({ kind: 'apply_security_group', state: 'succeeded' })
    expect(portsIn(await specOf(vm.id))).toEqual([443, 8000])
    // A direction without rules is closed.
    const spec = await specOf(vm.id)
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(spec).not.toHaveProperty('egress')
    await tenant.admin.ask(set, { i: { id: vm.id, securityGroupIds: [one.id] }, w: 20 })
    expect(portsIn(await specOf(vm.id))).toEqual([443])
    await actions.inState(vm.id, 'Running')
    expect((await tenant.admin.graphql(set, { i: { id: vm.id, securityGroupIds: [] } })).code).toBe(
      'invalid_input',
    )
    expect(
      (
        await tenant.admin.graphql(set, {
          i: { id: vm.id, securityGroupIds: [one.id, randomUUID()] },
        })
      ).code,
    ).toBe('not_found')
    const use = await tenant.admin.graphql(remove, { i: { id: one.id } })
    expect([use.code, use.text.includes(vm.name)]).toEqual(['in_use', true])
    const shown = (await tenant.admin.ask(uses, { id: one.id })).securityGroup
    expect(shown.uses).toEqual({
      vms: { names: [vm.name], total: 1 },
      groups: { names: [], total: 0 },
    })
    expect(shown.refusals).toEqual({ rename: null, delete: expect.stringContaining(vm.name) })
    expect((await tenant.admin.ask(uses, { id: two.id })).securityGroup.refusals.delete).toBeNull()
    await tenant.admin.ask(remove, { i: { id: two.id } })
  })

  test('a rule for a peer group follows the members of the group', async () => {
    const peer = await made(tenant.admin)
    const named = await made(tenant.admin, {
      rules: [{ direction: 'ingress', protocol: 'tcp', peerGroupId: peer.id }],
    })
    expect((await tenant.admin.graphql(remove, { i: { id: peer.id } })).code).toBe('in_use')
    expect((await tenant.admin.ask(uses, { id: peer.id })).securityGroup.uses.groups).toEqual({
      names: [named.name],
      total: 1,
    })
    const actions = await vmActions(tenant.admin)
    const vm = await actions.running({ securityGroupIds: [named.id] })
    // The peer group has no members yet, so the policy lets no VM in.
    expect(await specOf(vm.id)).not.toHaveProperty('ingress')
    const caller = await actions.create({ securityGroupIds: [peer.id], start: false })
    const letIn = (spec: Json): string[] =>
      spec.ingress?.[0]?.from[0].podSelector.matchExpressions[0].values ?? []
    await becomes(vm.id, (spec) => letIn(spec).join() === caller.id)
    expect((await specOf(vm.id)).ingress[0].ports).toEqual([
      { protocol: 'TCP', port: 1, endPort: 65_535 },
    ])
    await tenant.admin.ask(set, { i: { id: caller.id, securityGroupIds: [named.id] } })
    await becomes(vm.id, (spec) => letIn(spec).length === 0)
  })

  test('an ICMP rule is reported as not enforced with a reason, and opens nothing', async () => {
    const icmp = { direction: 'ingress', protocol: 'icmp', cidr: '10.0.0.0/8' }
    const group = await made(tenant.admin, { rules: [icmp] })
    const vm = await (await vmActions(tenant.admin)).running({ securityGroupIds: [group.id] })
    expect(await specOf(vm.id)).not.toHaveProperty('ingress')
    const enforcementNow = async (): Promise<Json> =>
      (await tenant.admin.ask(security, { id: vm.id })).vm.security.rules[0].enforcement[0]
    expect(await enforcementNow()).toEqual({
      nic: 'nic0',
      enforced: false,
      reason: expect.stringContaining('ICMP'),
    })
    expect(
      (await tenant.admin.ask(uses, { id: group.id })).securityGroup.enforcement,
    ).toMatchObject([{ enforced: false }])
    await tenant.admin.ask(update, {
      i: { id: group.id, rules: [icmp, { ...icmp, protocol: 'all' }] },
      w: 20,
    })
    expect((await specOf(vm.id)).ingress).toEqual([{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }])
    expect(await enforcementNow()).toEqual({ nic: 'nic0', enforced: true, reason: null })
    expect((await tenant.admin.ask(uses, { id: group.id })).securityGroup.enforcement).toEqual(
      Array(2).fill({ enforced: true, reason: null }),
    )
  })

  test('a VM’s policy is repaired after it was changed or deleted in the cluster', async () => {
    const vm = await (await vmActions(tenant.admin)).running()
    const path = `/apis/networking.k8s.io/v1/namespaces/${tenant.namespace}/networkpolicies/vm-${vm.id}-guard`
    const expected = await specOf(vm.id)
    const body = { spec: { ingress: [{}] } }
    await world.cluster.call(path, {
      method: 'PATCH',
      body,
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    await becomes(vm.id, (spec) => JSON.stringify(spec) === JSON.stringify(expected))
    await world.cluster.call(path, { method: 'DELETE' })
    await becomes(vm.id, (spec) => JSON.stringify(spec) === JSON.stringify(expected))
  })

  test('a VM is never without a group when an assignment races with the group’s deletion', async () => {
    const actions = await vmActions(tenant.admin)
    const [vm, spare] = [await actions.create({ start: false }), await theDefault(tenant.admin)]
    for (let round = 0; round < 6; round++) {
      const group = await made(tenant.admin)
      const [joined, gone] = await Promise.all([
        tenant.admin.graphql(set, { i: { id: vm.id, securityGroupIds: [group.id] } }),
        tenant.admin.graphql(remove, { i: { id: group.id } }),
      ])
      expect([[null, 'in_use'].join(), ['not_found', null].join()]).toContain(
        [joined.code, gone.code].join(),
      )
      await tenant.admin.ask(set, { i: { id: vm.id, securityGroupIds: [spare.id] } })
    }
  })
})
