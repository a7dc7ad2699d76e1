import { expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type WorldTenant, aWorld } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

const create =
  'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }'
const remove =
  'mutation ($i: DeleteVmTemplateInput!) { deleteVmTemplate(input: $i) { vmTemplate { id } } }'
const volumePath = (id: string, { namespace }: WorldTenant): string =>
  `/apis/cdi.kubevirt.io/v1beta1/namespaces/${namespace}/datavolumes/iso-${id}`

test('one egress policy per tenant exists before its importers and allows the public internet only', async () => {
  const strict = await aWorld({
    config: ({ import: rules, network }) => {
      rules.allowPrivate = false
      network.closed = ['93.184.216.0/24']
    },
  })
  await sandboxFaults(strict.cluster).inject('pace', { factor: 0.3 })
  const tenant = await strict.tenant()
  const isImporters = ({ spec }: Json): boolean =>
    spec.podSelector.matchLabels?.['cdi.kubevirt.io'] === 'importer'
  const policies = async (): Promise<Json[]> =>
    (
      await strict.cluster.call(
        `/apis/networking.k8s.io/v1/namespaces/${tenant.namespace}/networkpolicies`,
      )
    ).body.items.filter(isImporters)
  const begin = (name: string) =>
    tenant.admin.graphql(create, {
      i: { name, sourceType: 'iso', image: 'https://images.example.com/a.iso', isoSizeGi: 1 },
    })
  expect(
    (
      await tenant.admin.graphql(create, {
        i: { name: 'x', sourceType: 'iso', image: 'https://127.0.0.1/a.iso' },
      })
    ).code,
  ).toBe('invalid_input')
  expect(await policies()).toEqual([])
  await sandboxFaults(strict.cluster).inject('controllers/hold', {
    controller: 'import-controller',
  })
  const made = [await begin('first'), await begin('second')].map(
    ({ data }) => data.createVmTemplate.vmTemplate.id as string,
  )
  for (const id of made)
    await waitFor(async () => (await strict.cluster.call(volumePath(id, tenant))).status === 200, {
      timeoutMs: 10_000,
      what: 'the volume',
    })
  const [policy, ...more] = await policies()
  expect(more).toEqual([])
  expect(policy.spec.podSelector).toEqual({ matchLabels: { 'cdi.kubevirt.io': 'importer' } })
  expect(policy.spec.policyTypes).toEqual(['Ingress', 'Egress'])
  const [, ipv4, ipv6] = policy.spec.egress
  expect(ipv4.to[0].ipBlock.except).toEqual(
    expect.arrayContaining([
      '10.0.0.0/8',
      '127.0.0.0/8',
      '169.254.0.0/16',
      '192.168.0.0/16',
      // The metadata service of Azure, and a network that the operator has closed.
      '168.63.129.16/32',
      '93.184.216.0/24',
    ]),
  )
  expect(ipv6.to[0].ipBlock).toEqual({
    cidr: '2000::/3',
    except: ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
  })
  const volume: Json = (await strict.cluster.call(volumePath(made[0]!, tenant))).body
  expect(Date.parse(policy.metadata.creationTimestamp)).toBeLessThanOrEqual(
    Date.parse(volume.metadata.creationTimestamp),
  )
  for (const id of made) await tenant.admin.ask(remove, { i: { id } })
  await strict.ended('delete_vm_template', made[1]!)
  await strict.stop()
})
