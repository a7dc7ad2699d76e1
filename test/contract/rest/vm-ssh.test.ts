import { beforeAll, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let templateId: string
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  templateId = (await get('/vm-templates?filter=cirros')).body.vm_templates[0].id
})

const get = (path: string): Promise<WireAnswer> => tenant.admin.rest('GET', path)
const post = (path: string, body: Json, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('POST', path, { body, headers })
const deployed = async (input: Json = {}): Promise<Json> =>
  (
    await post(
      '/vms',
      { name: unique('vm'), template_id: templateId, ...input },
      { prefer: 'wait=20' },
    )
  ).body.vm

test('a VM with exposed SSH reports its port and address, and deleting the exposure closes the port', async () => {
  const { name } = await deployed({ expose_ssh: true })
  const isOpen = async (): Promise<boolean> =>
    (await get(`/vms/${name}/ssh`)).body.vm_ip !== undefined
  await waitFor(isOpen, { timeoutMs: 20_000, what: 'the port to lead to the VM' })
  const { body: access } = await get(`/vms/${name}/ssh`)
  expect(access).toEqual({
    exposed: true,
    node_port: expect.any(Number),
    vm_ip: (await get(`/vms/${name}`)).body.vm.ip,
  })
  const closed = await tenant.admin.rest('DELETE', `/vms/${name}/ssh`)
  expect([closed.status, closed.body]).toEqual([200, { success: true }])
  expect((await get(`/vms/${name}/ssh`)).body).toEqual({ exposed: false })
  const again = await tenant.admin.rest('DELETE', `/vms/${name}/ssh`)
  expect([again.status, again.body.code]).toEqual([409, 'wrong_state'])
})

test('exposing SSH answers with the port, repeats it on a second request, and needs no body', async () => {
  const { name } = await deployed()
  const nodePort = 31_999
  const made = await post(`/vms/${name}/ssh`, { node_port: nodePort })
  expect([made.status, made.body]).toEqual([200, { node_port: nodePort }])
  const bare = await tenant.admin.rest('POST', `/vms/${name}/ssh`)
  expect([bare.status, bare.body]).toEqual([200, { node_port: nodePort }])
  const other = await deployed()
  const taken = await post(`/vms/${other.name}/ssh`, { node_port: nodePort })
  expect([taken.status, taken.body.code, taken.body.error]).toEqual([
    409,
    'conflict',
    expect.stringContaining(String(nodePort)),
  ])
  const outside = await post(`/vms/${other.name}/ssh`, { node_port: 22 })
  expect([outside.status, outside.body.fields[0].path]).toEqual([400, 'node_port'])
  const later = await post(`/vms/${other.name}/ssh`, {}, { prefer: 'respond-async' })
  expect([later.status, later.body.job.type]).toEqual([202, 'expose_vm_ssh'])
})
