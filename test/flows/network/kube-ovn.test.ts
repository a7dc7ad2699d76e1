import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { networkActions, networkDocuments } from '../../support/actions/network-actions.ts'
import { NicActions } from '../../support/actions/nic-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

/* Networks where Kube-OVN is the cluster's own network. */
let world: World
let tenant: WorldTenant
let actions: NicActions
beforeAll(async () => {
  world = await aWorld({
    config: ({ cluster, network }) => {
      cluster.with = ['kube-ovn']
      network.driver = 'kube-ovn'
      network.addressRestSeconds = 0
    },
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  actions = await NicActions.in({ world, tenant })
})

const kubeOvn = '/apis/kubeovn.io/v1'
const objectsOf = async (kind: 'vpcs' | 'subnets', tenantId: string): Promise<Json[]> =>
  (await world.cluster.call(`${kubeOvn}/${kind}?labelSelector=berth.dev/tenant-id=${tenantId}`))
    .body.items

describe('networks with Kube-OVN', () => {
  test('a network has a private subnet in the router of its VPC, and a matching attachment', async () => {
    const network = await actions.network({ cidr: '10.7.1.0/24' }, { cidr: '10.7.0.0/16' })
    expect(network).toMatchObject({ driver: 'kube-ovn', mtu: 1400, state: 'active' })
    const { attachmentNamespace, attachmentName, vpcId } = network
    const { body: router } = await world.cluster.call(`${kubeOvn}/vpcs/${attachmentNamespace}`)
    expect(router.metadata.labels).toMatchObject({
      'berth.dev/tenant-id': tenant.id,
      'berth.dev/row-id': vpcId,
    })
    const { body: subnet } = await world.cluster.call(`${kubeOvn}/subnets/${attachmentName}`)
    const provider = `${attachmentName}.${attachmentNamespace}.ovn`
    expect(subnet.spec).toMatchObject({
      vpc: attachmentNamespace,
      cidrBlock: '10.7.1.0/24',
      gateway: '10.7.1.1',
      private: true,
      provider,
    })
    const { attachment } = networkActions(() => ({ world, tenant }))
    expect(JSON.parse((await attachment(network)).spec.config)).toMatchObject({
      type: 'kube-ovn',
      provider,
    })
  })

  test('a VM gets its allocated address, and its network cannot be deleted while it exists', async () => {
    const network = await actions.network()
    const vm = await actions.running({ networkIds: [network.id] })
    const nic = vm.nics.find(({ networkId }: Json) => networkId === network.id)
    const { body: pods } = await world.cluster.call(`/api/v1/namespaces/${tenant.namespace}/pods`)
    const prefix = `${network.attachmentName}.${network.attachmentNamespace}.ovn.kubernetes.io`
    const launcher = pods.items.find(
      ({ metadata }) => metadata.labels?.['berth.dev/row-id'] === vm.id,
    )
    expect((launcher as Json).metadata.annotations).toMatchObject({
      [`${prefix}/ip_address`]: nic.address,
      [`${prefix}/mac_address`]: nic.mac,
    })
    const remove = (): Promise<Json> =>
      tenant.admin.graphql(networkDocuments.deleteNetwork, { i: { id: network.id } })
    expect((await remove()).code).toBe('in_use')
    await actions.removed(vm.id)
    expect((await remove()).code).toBeNull()
    expect(await world.ended('delete_network', network.id)).toMatchObject({ state: 'succeeded' })
    expect((await world.cluster.call(`${kubeOvn}/subnets/${network.attachmentName}`)).status).toBe(
      404,
    )
  })

  test('a changed or deleted subnet is repaired', async () => {
    const { id, attachmentName } = await actions.network(
      { cidr: '10.9.1.0/24' },
      { cidr: '10.9.0.0/16' },
    )
    await world.ended('create_network', id)
    const path = `${kubeOvn}/subnets/${attachmentName}`
    const { uid } = (await world.cluster.call(path)).body.metadata
    await world.cluster.call(path, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { private: false, vpc: 'ovn-cluster' } }),
    })
    const isRight = async (): Promise<boolean> => {
      const { body }: Json = await world.cluster.call(path)
      return body.spec?.private === true && body.spec.vpc !== 'ovn-cluster'
    }
    await waitFor(isRight, { timeoutMs: 5_000, what: 'the subnet to be repaired' })
    await world.cluster.call(path, { method: 'DELETE' })
    const isAnother = async (): Promise<boolean> =>
      ![undefined, uid].includes((await world.cluster.call(path)).body.metadata.uid)
    await waitFor(async () => (await isAnother()) && (await isRight()), {
      timeoutMs: 5_000,
      what: 'the subnet to come back',
    })
  })

  test('two tenants can use the same CIDR and share no objects', async () => {
    const other = await NicActions.in({ world, tenant: await world.tenant() })
    const [one, two] = await Promise.all(
      [actions, other].map((each) =>
        each.network({ cidr: '10.8.1.0/24' }, { cidr: '10.8.0.0/16' }),
      ),
    )
    expect(one.cidr).toBe(two.cidr)
    expect(one.attachmentNamespace).not.toBe(two.attachmentNamespace)
    expect(one.attachmentName).not.toBe(two.attachmentName)
  })

  test('a deleted tenant leaves no subnets and no VPCs', async () => {
    const brief = await world.tenant()
    await (await NicActions.in({ world, tenant: brief })).network()
    expect((await objectsOf('subnets', brief.id)).length).toBeGreaterThan(1)
    await world.root.ask(
      'mutation ($i: DeleteTenantInput!) { deleteTenant(input: $i) { operation { id } } }',
      { i: { id: brief.id } },
    )
    expect(await world.ended('delete_tenant', brief.id)).toMatchObject({ state: 'succeeded' })
    expect([
      ...(await objectsOf('subnets', brief.id)),
      ...(await objectsOf('vpcs', brief.id)),
    ]).toEqual([])
  })
})
