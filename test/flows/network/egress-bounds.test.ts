import { beforeAll, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { NicActions } from '../../support/actions/nic-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

/* The addresses that VMs cannot reach over the cluster network, even when their groups allow it. */
let world: World
let tenant: WorldTenant
let actions: NicActions
beforeAll(async () => {
  world = await aWorld({
    config: ({ network }) => {
      network.closed = ['203.0.113.0/24']
      network.reserved.services = ['10.96.0.0/12']
    },
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  actions = await NicActions.in({ world, tenant })
})

const aGroup = async (rules: Json[]): Promise<Json> => {
  const create = `mutation ($i: CreateSecurityGroupInput!) {
    createSecurityGroup(input: $i) { securityGroup { id enforcement { enforced reason } } } }`
  return (await tenant.admin.ask(create, { i: { name: unique('sg'), rules } })).createSecurityGroup
    .securityGroup
}
const policyOf = async (id: string): Promise<Json> =>
  (
    await world.cluster.call(
      `/apis/networking.k8s.io/v1/namespaces/${tenant.namespace}/networkpolicies/vm-${id}-guard`,
    )
  ).body
const nodes = async (): Promise<string[]> =>
  (await world.cluster.call('/api/v1/nodes')).body.items.flatMap(({ status }: Json) =>
    status.addresses
      .filter(({ type }: Json) => type === 'InternalIP')
      .map(({ address }: Json) => `${address}/32`),
  )

test('a VM whose group allows all egress reaches its tenant’s VMs and the DNS, and nothing else of the cluster', async () => {
  const vm = await actions.running({})
  const { spec } = await policyOf(vm.id)
  const peers: Json[] = spec.egress.flatMap(({ to, ports }: Json) =>
    to.map((peer: Json) => ({ ...peer, ports: ports?.map(({ port }: Json) => port) })),
  )
  const ipv4 = peers.find(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0')
  const addresses = await nodes()
  expect(addresses.length).toBeGreaterThan(0)
  expect(ipv4?.ipBlock.except).toEqual(
    [
      '10.244.0.0/16',
      '10.96.0.0/12',
      '100.100.100.200/32',
      '168.63.129.16/32',
      '169.254.0.0/16',
      '203.0.113.0/24',
      ...addresses,
    ].sort(),
  )
  expect(peers.find(({ ipBlock }) => ipBlock?.cidr === '::/0')?.ipBlock.except).toContain(
    'fe80::/10',
  )
  expect(peers).toContainEqual({ podSelector: {} })
  expect(peers).toContainEqual({
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
    ports: [53, 53, 5353, 5353],
  })
  expect(peers).toContainEqual({ ipBlock: { cidr: '169.254.20.10/32' }, ports: [53, 53] })
})

test('the policy of a VM does not change when the same groups are assigned again', async () => {
  const vm = await actions.running({})
  const before = await policyOf(vm.id)
  const set = `mutation ($i: SetVmSecurityGroupsInput!) {
    setVmSecurityGroups(input: $i, waitSeconds: 20) { operation { state } } }`
  const read = 'query ($id: ID!) { vm(id: $id) { security { groups { id } } } }'
  const { groups } = (await tenant.admin.ask(read, { id: vm.id })).vm.security
  const securityGroupIds = groups.map(({ id }: Json) => id)
  await tenant.admin.ask(set, { i: { id: vm.id, securityGroupIds } })
  expect(await policyOf(vm.id)).toEqual(before)
})

test('an egress rule to a closed range says that VMs do not reach it', async () => {
  const [node = ''] = await nodes()
  const to = (cidr: string) => ({ direction: 'egress', protocol: 'tcp', portFrom: 443, cidr })
  const { enforcement } = await aGroup([to(node), to('10.244.3.0/24'), to('198.51.100.7/32')])
  const closed = { enforced: false, reason: expect.stringContaining('belong to the cluster') }
  expect(enforcement).toEqual([closed, closed, { enforced: true, reason: null }])
})
