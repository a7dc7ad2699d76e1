import { beforeAll, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { NicActions } from '../../support/actions/nic-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

/* Security groups in private networks, in a cluster that serves MultiNetworkPolicy. */
let world: World
let tenant: WorldTenant
let actions: NicActions
beforeAll(async () => {
  world = await aWorld({
    config: ({ cluster, network }) => {
      cluster.with = ['multi-network-policy', 'ovn-kubernetes']
      network.driver = 'ovn-layer2'
    },
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  actions = await NicActions.in({ world, tenant })
})

const aGroup = async (rules: Json[]): Promise<string> => {
  const create =
    'mutation ($i: CreateSecurityGroupInput!) { createSecurityGroup(input: $i) { securityGroup { id } } }'
  return (await tenant.admin.ask(create, { i: { name: unique('sg'), rules } })).createSecurityGroup
    .securityGroup.id
}
const filterOf = async (id: string): Promise<Json> => {
  const path = `/apis/k8s.cni.cncf.io/v1beta1/namespaces/${tenant.namespace}/multi-networkpolicies/vm-${id}-guard`
  const { status, body } = await world.cluster.call(path)
  return status === 200 ? body : null
}
const becomes = (id: string, isSo: (filter: Json) => boolean): Promise<void> =>
  waitFor(async () => isSo(await filterOf(id)), { timeoutMs: 20_000, what: 'the policy to follow' })
const callersIn = (filter: Json): string[] =>
  (filter.spec.ingress ?? []).flatMap(({ from }: Json) =>
    from.map(({ ipBlock }: Json) => ipBlock.cidr),
  )
const addressIn = (vm: Json, networkId: string): string =>
  vm.nics.find((nic: Json) => nic.networkId === networkId).address

test('a VM’s groups apply in private networks, where peers match by their addresses there', async () => {
  const network = await actions.network()
  const callers = await aGroup([])
  const called = await aGroup([
    { direction: 'ingress', protocol: 'tcp', portFrom: 22, peerGroupId: callers },
    { direction: 'ingress', protocol: 'icmp', cidr: '0.0.0.0/0' },
  ])
  const server = await actions.running({ networkIds: [network.id], securityGroupIds: [called] })
  const none = await filterOf(server.id)
  expect(none.metadata.annotations['k8s.v1.cni.cncf.io/policy-for']).toBe(
    `${network.attachmentNamespace}/${network.attachmentName}`,
  )
  expect(none.spec).toMatchObject({
    podSelector: { matchLabels: { 'berth.dev/row-id': server.id } },
    policyTypes: ['Ingress', 'Egress'],
  })
  for (const side of ['ingress', 'egress']) expect(none.spec).not.toHaveProperty(side)

  const client = await actions.deployed({ networkIds: [network.id], securityGroupIds: [callers] })
  await becomes(
    server.id,
    (filter) => callersIn(filter).join() === `${addressIn(client, network.id)}/32`,
  )
  const later = await actions.deployed({ securityGroupIds: [callers] })
  await world.ended('deploy_vm', later.id)
  const { vm } = await actions.rewire('attachNetwork', later.id, network.id)
  await becomes(server.id, (filter) =>
    callersIn(filter).includes(`${addressIn(vm, network.id)}/32`),
  )
  await actions.removed(client.id)
  await becomes(
    server.id,
    (filter) => callersIn(filter).join() === `${addressIn(vm, network.id)}/32`,
  )

  const security =
    'query ($id: ID!) { vm(id: $id) { security { inForce rules { protocol enforcement { nic enforced reason } } } } }'
  const { rules } = (await tenant.admin.ask(security, { id: server.id })).vm.security
  const onPrivate = Object.fromEntries(
    rules.map(({ protocol, enforcement }: Json) => [
      protocol,
      enforcement.find(({ nic }: Json) => nic === 'nic1').enforced,
    ]),
  )
  expect(onPrivate).toEqual({ tcp: true, icmp: false })

  await actions.removed(server.id)
  await becomes(server.id, (filter) => filter === null)
})

test('a changed or deleted MultiNetworkPolicy is repaired', async () => {
  const network = await actions.network()
  const vm = await actions.deployed({ networkIds: [network.id] })
  await world.ended('deploy_vm', vm.id)
  const { spec, metadata } = await filterOf(vm.id)
  const path = `/apis/k8s.cni.cncf.io/v1beta1/namespaces/${tenant.namespace}/multi-networkpolicies/${metadata.name}`
  await world.cluster.call(path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ spec: { ingress: [{}] } }),
  })
  const isRight = (filter: Json): boolean => JSON.stringify(filter?.spec) === JSON.stringify(spec)
  await waitFor(async () => isRight(await filterOf(vm.id)), {
    timeoutMs: 5_000,
    what: 'the policy to be repaired',
  })
  await world.cluster.call(path, { method: 'DELETE' })
  await waitFor(async () => isRight(await filterOf(vm.id)), {
    timeoutMs: 5_000,
    what: 'the policy to come back',
  })
})

test('a VM that leaves its only private network has no MultiNetworkPolicy any more', async () => {
  const network = await actions.network()
  const vm = await actions.deployed({ networkIds: [network.id] })
  await world.ended('deploy_vm', vm.id)
  await becomes(vm.id, (filter) => filter !== null)
  await actions.rewire('detachNetwork', vm.id, network.id)
  await becomes(vm.id, (filter) => filter === null)
})
