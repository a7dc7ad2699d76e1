import { beforeAll, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { networkActions } from '../../support/actions/network-actions.ts'
import { NicActions } from '../../support/actions/nic-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

/* Networks on a physical network of OVN-Kubernetes. */
let world: World
let tenant: WorldTenant
let actions: NicActions
beforeAll(async () => {
  world = await aWorld({
    config: ({ cluster, network }) => {
      cluster.with = ['ovn-kubernetes']
      network.driver = 'ovn-localnet'
    },
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  actions = await NicActions.in({ world, tenant })
})

test('two networks have different tags on one physical network, and VMs run on them', async () => {
  const { attachment } = networkActions(() => ({ world, tenant }))
  const [first, second] = [await actions.network(), await actions.network()]
  const tags = new Set<number>()
  for (const network of [first, second]) {
    expect(network).toMatchObject({ driver: 'ovn-localnet', mtu: 1500, state: 'active' })
    const config: Json = JSON.parse((await attachment(network)).spec.config)
    expect(config).toMatchObject({
      type: 'ovn-k8s-cni-overlay',
      topology: 'localnet',
      netAttachDefName: `${network.attachmentNamespace}/${network.attachmentName}`,
      physicalNetworkName: 'br-berth',
    })
    tags.add(config.vlanID)
  }
  expect(tags.size).toBe(2)
  const vms = [
    await actions.running({ networkIds: [first.id] }),
    await actions.running({ networkIds: [first.id] }),
  ]
  const addresses = vms.map(
    ({ nics }) => nics.find(({ networkId }: Json) => networkId === first.id).address,
  )
  expect(new Set(addresses).size).toBe(2)
})
