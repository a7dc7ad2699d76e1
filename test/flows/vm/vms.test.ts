import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let template: Json
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
  ;[template] = (
    await tenant.admin.ask(
      '{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id displayName image } } }',
    )
  ).vmTemplates.nodes
})

const fields =
  'id name state wantedPower mac ip templateName cpu memoryMi deleting version actions { action allowed refusal }'
const create = `mutation ($input: CreateVmInput!) { createVm(input: $input) { vm { ${fields} } operation { id kind state } } }`

const created = async (input: Json = {}, client = tenant.admin): Promise<Json> =>
  (await client.ask(create, { input: { name: unique('vm'), templateId: template.id, ...input } }))
    .createVm
const read = async (id: string, client = tenant.admin): Promise<Json> =>
  (await client.ask(`query ($id: ID!) { vm(id: $id) { ${fields} } }`, { id })).vm
const act = async (verb: 'startVm' | 'stopVm' | 'deleteVm', id: string): Promise<Json> =>
  (
    await tenant.admin.ask(
      `mutation ($id: ID!) { ${verb}(input: { id: $id }) { vm { id state } operation { id kind state } } }`,
      { id },
    )
  )[verb]

const inState = (id: string, state: string): Promise<void> =>
  waitFor(async () => (await read(id))?.state === state, {
    timeoutMs: 20_000,
    what: `the VM to be ${state}`,
  })

const objectsOf = async (id: string): Promise<string[]> => {
  const path = `namespaces/${tenant.namespace}`
  const lists = await Promise.all(
    [
      `/apis/kubevirt.io/v1/${path}/virtualmachines`,
      `/apis/cdi.kubevirt.io/v1beta1/${path}/datavolumes`,
      `/api/v1/${path}/secrets`,
    ].map(
      async (path) =>
        (await world.cluster.call(`${path}?labelSelector=berth.dev/row-id=${id}`)).body.items,
    ),
  )
  return lists.flat().map(({ metadata }) => metadata.name)
}

describe('VMs', () => {
  test('a VM is deployed on its own disk, runs, and leaves nothing when it is deleted', async () => {
    const { vm, operation } = await created({ cpu: 2, memoryMi: 2048 })
    expect(vm).toMatchObject({
      state: 'Pending',
      wantedPower: 'on',
      cpu: 2,
      memoryMi: 2048,
      templateName: template.displayName,
    })
    expect(operation).toMatchObject({ kind: 'deploy_vm', state: 'pending' })
    await inState(vm.id, 'Running')
    const done = await world.ended('deploy_vm', vm.id)
    expect(done).toMatchObject({ state: 'succeeded', progress: 100 })
    expect(done.steps.map((step: Json) => [step.name, step.state])).toEqual(
      ['firewall', 'settings', 'disk', 'vm', 'running'].map((step) => [step, 'done']),
    )
    expect((await objectsOf(vm.id)).sort()).toEqual(
      [vm.name, `vm-${vm.id}-init`, `vm-${vm.id}-root`].sort(),
    )
    const { body } = await world.cluster.call(
      `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachineinstances/${vm.name}`,
    )
    expect(JSON.stringify(body.spec)).toContain(`"macAddress":"${vm.mac}"`)

    const gone = await act('deleteVm', vm.id)
    expect(gone.operation.kind).toBe('delete_vm')
    expect((await world.ended('delete_vm', vm.id)).state).toBe('succeeded')
    expect(await read(vm.id)).toBeNull()
    expect(await objectsOf(vm.id)).toEqual([])
  })

  test('a VM lists before its deletion what is lost and what stays', async () => {
    const { vm } = await created({ rootDisk: 'ephemeral', start: false, deleteProtection: true })
    const impact = 'deletionImpact { isProtected refusal items { kind fate name sizeGi sentence } }'
    const preview = (
      await tenant.admin.ask(`query ($id: ID!) { vm(id: $id) { ${impact} } }`, { id: vm.id })
    ).vm.deletionImpact
    expect(preview).toMatchObject({
      isProtected: true,
      refusal: expect.stringContaining(`VM ${vm.name} is protected`),
    })
    const items = preview.items.map(({ kind, fate, name }: Json) => [kind, fate, name])
    expect(items).toContainEqual(['root_disk', 'lost', 'root'])
    expect(items).toContainEqual(['address', 'released', vm.mac])
    expect(items).toContainEqual(['template', 'kept', template.displayName])
  })

  test('a VM stops and starts again, and refuses a second stop with the reason', async () => {
    const { vm } = await created({ rootDisk: 'ephemeral' })
    await inState(vm.id, 'Running')
    await act('stopVm', vm.id)
    expect((await world.ended('stop_vm', vm.id)).state).toBe('succeeded')
    expect(await read(vm.id)).toMatchObject({ state: 'Stopped', wantedPower: 'off' })
    const refused = await tenant.admin.graphql(
      'mutation ($id: ID!) { stopVm(input: { id: $id }) { vm { id } } }',
      { id: vm.id },
    )
    expect(refused.code).toBe('wrong_state')
    await act('startVm', vm.id)
    expect((await world.ended('start_vm', vm.id)).state).toBe('succeeded')
    expect((await read(vm.id)).state).toBe('Running')
  })

  test('a VM that is created without a start is deployed and stays stopped', async () => {
    const { vm } = await created({ rootDisk: 'ephemeral', start: false })
    expect((await world.ended('deploy_vm', vm.id)).state).toBe('succeeded')
    expect((await read(vm.id)).state).toBe('Stopped')
  })

  test('a VM that 16 requests create under one name exists once', async () => {
    const name = unique('twin')
    const input = { name, templateId: template.id, rootDisk: 'ephemeral', start: false }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => tenant.admin.graphql(create, { input })),
    )
    const codes = answers.map(({ code }) => code ?? 'made').sort()
    expect(codes).toEqual([...Array.from({ length: 15 }, () => 'already_exists'), 'made'])
  })

  test('a VM that was deleted in the cluster becomes lost and is not created again', async () => {
    const { vm } = await created({ rootDisk: 'ephemeral' })
    await inState(vm.id, 'Running')
    await world.cluster.call(
      `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines/${vm.name}`,
      { method: 'DELETE' },
    )
    await inState(vm.id, 'Lost')
    expect((await objectsOf(vm.id)).includes(vm.name)).toBe(false)
    await act('deleteVm', vm.id)
    expect((await world.ended('delete_vm', vm.id)).state).toBe('succeeded')
    expect(await objectsOf(vm.id)).toEqual([])
  })

  test('a VM fails when its name is taken in the cluster, and leaves the other object alone', async () => {
    const name = unique('taken')
    const path = `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines`
    const spec = {
      runStrategy: 'Halted',
      template: { spec: { domain: { devices: {}, memory: { guest: '128Mi' } } } },
    }
    const body = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name }, spec }
    const { body: strange } = await world.cluster.call(path, { method: 'POST', body })
    const { vm } = await created({ name })
    expect(await world.ended('deploy_vm', vm.id)).toMatchObject({
      state: 'failed',
      fault_code: 'cluster_name_conflict',
    })
    await inState(vm.id, 'Failed')
    await act('deleteVm', vm.id)
    expect((await world.ended('delete_vm', vm.id)).state).toBe('succeeded')
    expect(await objectsOf(vm.id)).toEqual([])
    expect((await world.cluster.call(`${path}/${name}`)).body.metadata.uid).toBe(
      strange.metadata.uid,
    )
  })

  test('a VM gets the requested keys and password, which are sealed at rest', async () => {
    const password = 'correct-horse-battery'
    const { createSshKey } = await tenant.admin.ask(
      'mutation ($n: String!) { createSshKey(input: { name: $n }) { sshKey { id publicKey } } }',
      {
        n: unique('key'),
      },
    )
    const { sshKey } = createSshKey
    const { vm } = await created({
      rootDisk: 'ephemeral',
      start: false,
      sshKeyIds: [sshKey.id],
      cloudInitPassword: password,
    })
    await world.ended('deploy_vm', vm.id)
    const { body } = await world.cluster.call(
      `/api/v1/namespaces/${tenant.namespace}/secrets/vm-${vm.id}-init`,
    )
    const userData = Buffer.from(body.data?.['userdata'] ?? '', 'base64').toString()
    expect(userData).toContain(`hostname: ${vm.name}`)
    expect(userData).toContain(sshKey.publicKey)
    expect(userData).toContain(password)
    const [row] = await world.database.sql(
      `select encode(user_data, 'escape') as text from vm where id = '${vm.id}'`,
    )
    expect(String(row?.['text'])).not.toContain(password)
    expect(world.logged.join('')).not.toContain(password)
  })

  test('a VM of another tenant is not found', async () => {
    const { vm } = await created({ rootDisk: 'ephemeral', start: false })
    const other = await world.tenant()
    expect(await read(vm.id, other.admin)).toBeNull()
    const refused = await other.admin.graphql(
      'mutation ($id: ID!) { deleteVm(input: { id: $id }) { vm { id } } }',
      { id: vm.id },
    )
    expect(refused.code).toBe('not_found')
  })

  test.each([
    ['an unknown template', { templateId: '00000000-0000-4000-8000-00000000abcd' }, 'not_found'],
    ['an unknown key', { sshKeyIds: ['00000000-0000-4000-8000-00000000abcd'] }, 'not_found'],
    ['an invalid size', { cpu: 0 }, 'invalid_input'],
    ['a short password', { cloudInitPassword: 'short' }, 'invalid_input'],
    ['invalid YAML in cloud-init', { cloudInitUserData: '#cloud-config\na: [1' }, 'invalid_input'],
  ])('a VM is refused with %s', async (_what, input, code) => {
    const answer = await tenant.admin.graphql(create, {
      input: { name: unique('no'), templateId: template.id, ...input },
    })
    expect(answer.code).toBe(code)
  })
})
