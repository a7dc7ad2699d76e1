import { beforeAll, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

/* An operator who allows container disks of one registry only. */
let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld({
    config: (config) => void (config.import.allowedRegistries = ['quay.io/containerdisks']),
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
})

const create =
  'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }'
const list = '{ vmTemplates(first: 100) { nodes { id name image refusals { deploy } } } }'

const askTemplate = (image: string) =>
  tenant.admin.graphql(create, { i: { name: unique('tpl'), image } })
const seeded = async (name: string): Promise<Json> =>
  (await tenant.admin.ask(list)).vmTemplates.nodes.find((each: Json) => each.name === name)

test('a template of another registry is refused, and the sentence names the allowed ones', async () => {
  const refused = await askTemplate('docker.io/library/debian:13')
  expect(refused.code).toBe('invalid_input')
  expect(refused.text).toContain('quay.io/containerdisks')
  expect((await askTemplate('quay.io/containerdisks/debian:13')).code).toBeNull()
})

test('a VM of another registry is refused, with its template or with its image', async () => {
  const cirros = await seeded('cirros')
  expect(cirros.refusals.deploy).toContain(cirros.image)
  expect(cirros.refusals.deploy).toContain('choose another template')
  const vm = (i: Json) =>
    tenant.admin.graphql('mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }', {
      i: { name: unique('vm'), cpu: 1, memoryMi: 512, ...i },
    })
  expect((await vm({ templateId: cirros.id })).code).toBe('template_not_ready')
  expect((await vm({ image: cirros.image })).code).toBe('invalid_input')
})

test('the disks of a new VM are pulled at each start', async () => {
  const ubuntu = await seeded('ubuntu-2204')
  expect(ubuntu.refusals.deploy).toBeNull()
  const vms = await vmActions(tenant.admin)
  const vm = await vms.running({ templateId: ubuntu.id, rootDisk: 'ephemeral' })
  const { body }: Json = await world.cluster.call(
    `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines/${vm.name}`,
  )
  const disks = body.spec.template.spec.volumes.filter(({ containerDisk }: Json) => containerDisk)
  expect(disks.map(({ containerDisk }: Json) => containerDisk)).toEqual([
    { image: ubuntu.image, imagePullPolicy: 'Always' },
  ])
})
