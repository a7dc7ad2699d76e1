import { beforeAll, describe, expect, test } from 'vitest'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
})

const read = async (id: string): Promise<Json> =>
  (
    await tenant.admin.ask(
      'query ($id: ID!) { vm(id: $id) { name state wantedPower cpu memoryMi drift { part desired found } explanation { code cause whoCanFix } actions { action allowed } } }',
      { id },
    )
  ).vm

const pathOf = async (id: string): Promise<string> =>
  `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines/${(await read(id)).name}`
const objectOf = async (id: string): Promise<Json> =>
  (await world.cluster.call(await pathOf(id))).body

/** Changes the VM object as another client of the cluster would. */
async function change(id: string, patch: Json, type = 'merge-patch'): Promise<void> {
  const headers = { 'content-type': `application/${type}+json` }
  const answer = await world.cluster.call(await pathOf(id), {
    method: 'PATCH',
    headers,
    body: patch,
  })
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
}
const template = (spec: Json): Json => ({ spec: { template: { spec } } })
const memory = (guest: string): Json => template({ domain: { memory: { guest, maxGuest: guest } } })

const untilDrift = (id: string, parts: readonly string[]): Promise<void> =>
  waitFor(
    async () =>
      JSON.stringify(((await read(id)).drift ?? []).map(({ part }: Json) => part)) ===
      JSON.stringify(parts),
    { timeoutMs: 10_000, what: `the drift ${parts.join(', ')}` },
  )

async function resolve(verb: 'revert' | 'accept', id: string): Promise<Json> {
  const field = `${verb}VmDrift`
  const Input = `${verb === 'revert' ? 'Revert' : 'Accept'}VmDriftInput`
  const document = `mutation ($i: ${Input}!) { ${field}(input: $i) { operation { id } } }`
  const answer = await tenant.admin.graphql(document, { i: { id } })
  if (answer.code) return { code: answer.code, text: answer.text }
  return world.ended('resolve_vm_drift', id)
}

async function switchedByAnotherClient(power: 'on' | 'off'): Promise<Json> {
  const vm = await vms.running({})
  if (power === 'on') {
    await vms.ask('stopVm', vm.id)
    await vms.inState(vm.id, 'Stopped')
  }
  await change(vm.id, { spec: { runStrategy: power === 'on' ? 'RerunOnFailure' : 'Halted' } })
  await untilDrift(vm.id, ['power'])
  return vm
}

describe('a changed VM object', () => {
  test('a VM that another client changes says in its explanation and its events what differs', async () => {
    const { id } = await vms.running({ memoryMi: 1024, cpu: 1 })
    await change(id, memory('2Gi'))
    await untilDrift(id, ['memory'])
    expect(await read(id)).toMatchObject({
      memoryMi: 1024,
      drift: [{ part: 'memory', desired: '1024', found: '2048' }],
      explanation: {
        code: 'changed_outside',
        cause: expect.stringContaining('2048 MiB of memory instead of 1024'),
        whoCanFix: 'you',
      },
    })
    const { vmEvents } = await tenant.admin.ask(
      'query ($id: ID!) { vmEvents(vmId: $id, first: 1) { nodes { code explanation { code } } } }',
      { id },
    )
    expect(vmEvents.nodes).toEqual([{ code: 'noticed', explanation: { code: 'changed_outside' } }])
    await resolve('revert', id)
  })

  test('a revert restores the VM object', async () => {
    const { id } = await vms.running({ memoryMi: 1024 })
    await change(id, memory('3Gi'))
    await untilDrift(id, ['memory'])
    expect(await resolve('revert', id)).toMatchObject({ state: 'succeeded' })
    await untilDrift(id, [])
    expect((await objectOf(id)).spec.template.spec.domain.memory.guest).toBe('1Gi')
  })

  test('an accepted drift changes power, vCPUs and memory in Berth', async () => {
    const { id } = await vms.running({ memoryMi: 1024, cpu: 1 })
    await change(
      id,
      template({
        domain: { cpu: { sockets: 3, maxSockets: 3 }, memory: { guest: '2Gi', maxGuest: '2Gi' } },
      }),
    )
    await change(id, { spec: { runStrategy: 'Halted' } })
    await untilDrift(id, ['power', 'cpu', 'memory'])
    expect(await resolve('accept', id)).toMatchObject({ state: 'succeeded' })
    await untilDrift(id, [])
    await vms.inState(id, 'Stopped')
    expect(await read(id)).toMatchObject({ wantedPower: 'off', cpu: 3, memoryMi: 2048 })
    expect((await objectOf(id)).spec.runStrategy).toBe('Halted')
  })

  test('a revert switches off a VM that another client has switched on', async () => {
    const { id } = await vms.running({})
    await vms.ask('stopVm', id)
    await vms.inState(id, 'Stopped')
    await change(id, { spec: { runStrategy: 'RerunOnFailure' } })
    await untilDrift(id, ['power'])
    expect(await resolve('revert', id)).toMatchObject({ state: 'succeeded' })
    await vms.inState(id, 'Stopped')
    await untilDrift(id, [])
  })

  test.each([
    { power: 'on', state: 'Stopping', verb: 'revert', ends: 'Stopped' },
    { power: 'on', state: 'Stopping', verb: 'accept', ends: 'Running' },
    { power: 'off', state: 'Starting', verb: 'revert', ends: 'Running' },
    { power: 'off', state: 'Starting', verb: 'accept', ends: 'Stopped' },
  ] as const)(
    'a VM that another client has switched $power is $ends after the $verb',
    async ({ power, state, verb, ends }) => {
      const { id, name } = await switchedByAnotherClient(power)
      await vms.inState(id, state)
      const refused = await tenant.admin.graphql(
        'mutation ($id: ID!) { restartVm(input: { id: $id }) { vm { id } } }',
        { id },
      )
      expect(refused).toMatchObject({
        code: 'wrong_state',
        text: expect.stringContaining(
          `VM ${name} was switched ${power} by another client, so it cannot be restarted; first revert or accept that change.`,
        ),
      })
      expect(await resolve(verb, id)).toMatchObject({ state: 'succeeded' })
      await vms.inState(id, ends)
      await untilDrift(id, [])
    },
  )

  test('a stop over REST switches off a VM that another client has switched on', async () => {
    const { id, name } = await switchedByAnotherClient('on')
    await vms.inState(id, 'Stopping')
    const wait = { prefer: 'wait=20' }
    await tenant.admin.rest('POST', '/vms/stop', { body: { name }, headers: wait })
    expect(await read(id)).toMatchObject({ state: 'Stopped' })
    await untilDrift(id, [])
  })

  test('a revert removes a foreign disk and foreign settings, and keeps the disks of the VM', async () => {
    const { id } = await vms.running({})
    const before = (await objectOf(id)).spec.template.spec
    await change(
      id,
      [
        {
          op: 'add',
          path: '/spec/template/spec/volumes/-',
          value: { name: 'foreign', emptyDisk: { capacity: '1Gi' } },
        },
        {
          op: 'add',
          path: '/spec/template/spec/domain/devices/disks/-',
          value: { name: 'foreign', disk: { bus: 'virtio' } },
        },
        { op: 'add', path: '/spec/template/spec/nodeSelector', value: { rack: '7' } },
      ],
      'json-patch',
    )
    await untilDrift(id, ['disks', 'settings'])
    const refusal = await resolve('accept', id)
    expect(refusal).toMatchObject({
      code: 'wrong_state',
      text: expect.stringContaining('other disks, other settings'),
    })
    expect(await resolve('revert', id)).toMatchObject({ state: 'succeeded' })
    await untilDrift(id, [])
    expect((await objectOf(id)).spec.template.spec).toEqual(before)
  })
})

describe('a drift', () => {
  test('a drift ends with the next change of the VM, which applies the whole VM', async () => {
    const { id } = await vms.running({ memoryMi: 1024 })
    await change(id, memory('2Gi'))
    await untilDrift(id, ['memory'])
    await vms.ask('stopVm', id)
    await vms.inState(id, 'Stopped')
    await untilDrift(id, [])
    expect((await objectOf(id)).spec.template.spec.domain.memory.guest).toBe('1Gi')
  })

  test('a drift that another comparison finds again sends no change of its own', async () => {
    // A VM that is off has no other reason to change.
    const { id } = await vms.create({ memoryMi: 1024, start: false })
    await vms.inState(id, 'Stopped')
    await change(id, memory('2Gi'))
    await untilDrift(id, ['memory'])
    const isCompared = async (): Promise<boolean> => {
      const { generation } = (await objectOf(id)).metadata
      const found = await world.database.sql(
        `select 1 from vm where id = '${id}' and compared_generation = ${generation}`,
      )
      return found.length > 0
    }
    await waitFor(isCompared, { what: 'the comparison' })
    const changes = (): Promise<unknown[]> =>
      world.database.sql(`select 1 from change_log where object_id = '${id}'`)
    const before = await changes()
    await change(id, { spec: { template: { metadata: { annotations: { by: 'another' } } } } })
    await waitFor(isCompared, { what: 'the next comparison' })
    // The new version of the VM object is one change.
    expect(await changes()).toHaveLength(before.length + 1)
    await resolve('revert', id)
  })

  test('a drift beyond the quota is not accepted, and a VM without a drift has nothing to revert', async () => {
    const { id } = await vms.running({ memoryMi: 1024 })
    expect(await resolve('revert', id)).toMatchObject({ code: 'wrong_state' })
    const quota =
      'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }'
    await world.root.ask(quota, { i: { id: tenant.id, memoryMi: 500_000 } })
    await change(id, memory('900Gi'))
    await untilDrift(id, ['memory'])
    expect(await resolve('accept', id)).toMatchObject({ code: 'quota_exceeded' })
    expect(await read(id)).toMatchObject({ memoryMi: 1024, drift: [{ found: '921600' }] })
    await resolve('revert', id)
  })

  test('a user of another tenant cannot revert a drift', async () => {
    const rival = await world.tenant()
    const { id } = await vms.running({ memoryMi: 1024 })
    await change(id, memory('2Gi'))
    await untilDrift(id, ['memory'])
    const document =
      'mutation ($i: RevertVmDriftInput!) { revertVmDrift(input: $i) { operation { id } } }'
    expect((await rival.admin.graphql(document, { i: { id } })).code).toBe('not_found')
    expect((await read(id)).drift).toHaveLength(1)
    await resolve('revert', id)
  })
})
