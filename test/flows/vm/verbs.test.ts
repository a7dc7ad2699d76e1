import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type PowerVerb, powerVerbNames } from '../../../server/src/domain/vm/power-verbs.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { VmScenarios } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
let vms: VmScenarios
let id: string
beforeAll(async () => {
  world = await aWorld()
  vms = await VmScenarios.in(world, { pace: 0.05 })
  id = await vms.ready()
})

afterEach(() => planFailpoints(null))

/** The operation does not pass this step until the failpoint plan is lifted. */
const holdAt = (at: string): void => planFailpoints({ rules: [{ at, do: 'error' }] })

const fields =
  'id name displayName state wantedPower cpu memoryMi tags deleteProtection restartRequired serviceOfferingId version'
const read = async (vm = id): Promise<Json> =>
  (await vms.tenant.admin.ask(`query ($id: ID!) { vm(id: $id) { ${fields} } }`, { id: vm })).vm

type Verb = `${PowerVerb}Vm` | 'deleteVm' | 'updateVm'
const verbs: Verb[] = [
  ...powerVerbNames.map((verb) => `${verb}Vm` as const),
  'updateVm',
  'deleteVm',
]

const documentOf = (verb: Verb, more = ''): string =>
  `mutation ($i: ${verb[0]?.toUpperCase()}${verb.slice(1)}Input!) { ${verb}(input: $i) { vm { ${fields} } operation { id kind state } ${more} } }`

const send = (verb: Verb, input: Json = {}, client = vms.tenant.admin) =>
  client.graphql(documentOf(verb), { i: { id, ...input } })

/** Sends the mutation and expects its operation to succeed. */
async function done(verb: Verb, input: Json = {}): Promise<Json> {
  const answer = (
    await vms.tenant.admin.ask(documentOf(verb, verb === 'updateVm' ? 'applies' : ''), {
      i: { id, ...input },
    })
  )[verb]
  if (answer.operation) expect((await vms.end(answer.operation.id)).state).toBe('succeeded')
  return answer
}

const sizeOf = async (vm = id): Promise<unknown> => {
  const { cpu, memory } = (await vms.vmi(vm)).spec.domain
  return { cpu: cpu.sockets * cpu.cores * cpu.threads, memory: memory.guest }
}

describe('verbs of a running VM', () => {
  test('a VM pauses and resumes within the same VMI', async () => {
    const { uid } = (await vms.vmi(id)).metadata
    expect((await done('pauseVm')).operation.kind).toBe('pause_vm')
    expect((await read()).state).toBe('Paused')
    await done('resumeVm')
    expect((await read()).state).toBe('Running')
    expect((await vms.vmi(id)).metadata.uid).toBe(uid)
  })

  test('a VM restarts once for two requests while the operation is open', async () => {
    const { uid } = (await vms.vmi(id)).metadata
    holdAt('restart_vm.vm')
    const [first, second] = await Promise.all([send('restartVm'), send('restartVm')])
    planFailpoints(null)
    const operationId = first.data.restartVm.operation.id
    expect(second.data.restartVm.operation.id).toBe(operationId)
    expect((await vms.end(operationId)).state).toBe('succeeded')
    const after = (await vms.vmi(id)).metadata.uid
    expect(after).not.toBe(uid)
    await done('pauseVm')
    await done('resumeVm')
    expect((await vms.vmi(id)).metadata.uid).toBe(after)
  })

  test('a VM restarts by force into another VMI', async () => {
    const { uid } = (await vms.vmi(id)).metadata
    await done('restartVm', { force: true })
    expect((await vms.vmi(id)).metadata.uid).not.toBe(uid)
  })

  test('a repeated request with one idempotency key runs once and gets the same answer', async () => {
    const client = vms.tenant.admin.with({ 'idempotency-key': randomUUID() })
    const first = await send('restartVm', {}, client)
    await vms.end(first.data.restartVm.operation.id)
    expect((await send('restartVm', {}, client)).data).toEqual(first.data)
    const restarts = await world.database.sql(
      `select state from operation where id = '${first.data.restartVm.operation.id}'`,
    )
    expect(restarts).toEqual([{ state: 'succeeded' }])
  })

  test('a VM that shuts down can be forced off within the same operation', async () => {
    holdAt('stop_vm.vm')
    const gentle = await send('stopVm')
    const forced = await send('stopVm', { force: true })
    planFailpoints(null)
    expect(forced.data.stopVm.operation.id).toBe(gentle.data.stopVm.operation.id)
    expect((await vms.end(gentle.data.stopVm.operation.id)).state).toBe('succeeded')
    expect(await vms.row(id)).toMatchObject({ state: 'Stopped', forced: true })
    await done('startVm')
    expect(await vms.row(id)).toMatchObject({ state: 'Running', forced: false })
  })
})

describe('refusals', () => {
  const refusals = async (expected: readonly [Verb, string, Json?][]): Promise<void> => {
    const { name } = await read()
    for (const [verb, reason, input] of expected) {
      const { code, body } = await send(verb, input)
      expect([verb, code, body.errors?.[0]?.message]).toEqual([
        verb,
        'wrong_state',
        `VM ${name} ${reason}`,
      ])
    }
  }

  test('a running VM refuses start and resume with the reason', () =>
    refusals([
      ['startVm', 'is running, so it cannot be started; there is nothing to do.'],
      ['resumeVm', 'is running, so it cannot be resumed; there is nothing to do.'],
    ]))

  test('a paused VM refuses start, pause and resize with the reason', async () => {
    await done('pauseVm')
    await refusals([
      ['startVm', 'is paused, so it cannot be started; resume it instead.'],
      ['pauseVm', 'is paused, so it cannot be paused; there is nothing to do.'],
      ['updateVm', 'is paused, so it cannot be resized; resume it first.', { cpu: 3 }],
    ])
    await done('resumeVm')
  })

  test('a stopped VM refuses stop, restart, pause and resume with the reason', async () => {
    await done('stopVm')
    await refusals([
      ['stopVm', 'is stopped, so it cannot be stopped; there is nothing to do.'],
      [
        'stopVm',
        'is stopped, so it cannot be stopped by force; there is nothing to do.',
        { force: true },
      ],
      ['restartVm', 'is stopped, so it cannot be restarted; start it instead.'],
      ['pauseVm', 'is stopped, so it cannot be paused; start it first.'],
      ['resumeVm', 'is stopped, so it cannot be resumed; start it instead.'],
    ])
    await done('startVm')
  })

  test('a VM with an open stop operation refuses start, restart and pause with the reason', async () => {
    holdAt('stop_vm.vm')
    const { data } = await send('stopVm')
    await refusals([
      ['startVm', 'is shutting down, so it cannot be started; start it once it has stopped.'],
      ['restartVm', 'is shutting down, so it cannot be restarted; start it once it has stopped.'],
      ['pauseVm', 'is shutting down, so it cannot be paused; start it once it has stopped.'],
    ])
    planFailpoints(null)
    await vms.end(data.stopVm.operation.id)
    await done('startVm')
  })

  test('a protected VM refuses its deletion, and a VM that is being deleted refuses every verb', async () => {
    const doomed = await vms.ready({ start: false, deleteProtection: true })
    const { name } = await vms.row(doomed)
    const refused = await send('deleteVm', { id: doomed })
    expect(refused.body.errors?.[0]?.message).toBe(
      `VM ${name} is protected against deletion; switch the protection off first.`,
    )
    expect(await done('updateVm', { id: doomed, deleteProtection: false })).toMatchObject({
      operation: null,
      applies: 'at_once',
    })
    holdAt('delete_vm.vm')
    const gone = await send('deleteVm', { id: doomed })
    const refusedVerbs: readonly [Verb, string][] = [
      ['startVm', 'started'],
      ['stopVm', 'stopped'],
      ['restartVm', 'restarted'],
      ['pauseVm', 'paused'],
      ['resumeVm', 'resumed'],
      ['updateVm', 'changed'],
    ]
    for (const [verb, participle] of refusedVerbs) {
      const { code, body } = await send(verb, { id: doomed })
      const message = `VM ${name} is being deleted, so it cannot be ${participle}; wait until it is gone.`
      expect([verb, code, body.errors?.[0]?.message]).toEqual([verb, 'wrong_state', message])
    }
    planFailpoints(null)
    await vms.end(gone.data.deleteVm.operation.id)
  })

  test('a viewer is refused every verb', async () => {
    const viewer = await vms.tenant.as('viewer')
    for (const verb of verbs)
      expect([verb, (await send(verb, {}, viewer)).code]).toEqual([verb, 'forbidden'])
    expect(
      (await viewer.ask('query ($id: ID!) { vm(id: $id) { restartRequired } }', { id })).vm,
    ).toEqual({ restartRequired: false })
  })
})

describe('changes of a VM', () => {
  test('a change of name, tags or protection applies at once and without the cluster', async () => {
    const changes = {
      displayName: 'The database',
      tags: ['db', 'db', ' prod '],
      deleteProtection: true,
    }
    const { vm, operation, applies } = await done('updateVm', changes)
    expect({ operation, applies }).toEqual({ operation: null, applies: 'at_once' })
    expect(vm).toMatchObject({
      displayName: 'The database',
      tags: ['db', 'prod'],
      deleteProtection: true,
    })
    const again = await done('updateVm', { deleteProtection: false, tags: [] })
    expect(again.vm).toMatchObject({
      displayName: 'The database',
      tags: [],
      deleteProtection: false,
    })
  })

  test('a change is refused when its version is outdated', async () => {
    const { version } = await read()
    const { vm } = await done('updateVm', { displayName: 'One', ifVersion: version })
    expect((await send('updateVm', { displayName: 'Two', ifVersion: version })).code).toBe(
      'version_conflict',
    )
    expect((await read()).displayName).toBe('One')
    expect(vm.version).toBeGreaterThan(version)
  })

  test('a new size of a running VM applies at its next start, and the VM reports it until then', async () => {
    const before = await sizeOf()
    const { vm, operation, applies } = await done('updateVm', { cpu: 3, memoryMi: 3072 })
    expect({ kind: operation.kind, applies }).toEqual({ kind: 'resize_vm', applies: 'next_start' })
    expect(vm).toMatchObject({ cpu: 3, memoryMi: 3072, state: 'Running' })
    await waitFor(async () => (await read()).restartRequired === true, {
      timeoutMs: 15_000,
      what: 'a restart to be required',
    })
    expect(await sizeOf()).toEqual(before)
    await done('restartVm')
    expect(await sizeOf()).toEqual({ cpu: 3, memory: '3Gi' })
    await waitFor(async () => (await read()).restartRequired === false, {
      timeoutMs: 15_000,
      what: 'no restart to be required',
    })
  })

  test('a smaller size also applies at the next start', async () => {
    expect((await done('updateVm', { memoryMi: 1024 })).applies).toBe('next_start')
    await waitFor(async () => (await read()).restartRequired === true, {
      timeoutMs: 15_000,
      what: 'a restart to be required',
    })
    expect(await sizeOf()).toEqual({ cpu: 3, memory: '3Gi' })
    await done('stopVm')
    expect((await read()).restartRequired).toBe(false)
    await done('startVm')
    expect(await sizeOf()).toEqual({ cpu: 3, memory: '1Gi' })
  })

  test('a stopped VM takes the size of a service offering at its next start', async () => {
    const off = await vms.ready({ start: false })
    const made = await world.root.rest('POST', '/service-offerings', {
      body: { name: 'twice-as-much', cpu: 2, memory_mi: 2048 },
    })
    const { vm, applies } = await done('updateVm', {
      id: off,
      serviceOfferingId: made.body.service_offering.id,
    })
    expect(applies).toBe('next_start')
    expect(vm).toMatchObject({
      cpu: 2,
      memoryMi: 2048,
      serviceOfferingId: made.body.service_offering.id,
      state: 'Stopped',
    })
    await done('startVm', { id: off })
    expect(await sizeOf(off)).toEqual({ cpu: 2, memory: '2Gi' })
    expect((await read(off)).restartRequired).toBe(false)
    const same = await done('updateVm', {
      id: off,
      serviceOfferingId: made.body.service_offering.id,
    })
    expect(same).toMatchObject({ operation: null, applies: 'at_once' })
  })

  test.each([
    ['an invalid size', { cpu: 0 }, 'invalid_input'],
    [
      'an unknown offering',
      { serviceOfferingId: '00000000-0000-4000-8000-00000000abcd' },
      'not_found',
    ],
    ['a tag that is too long', { tags: ['x'.repeat(65)] }, 'invalid_input'],
  ])('a change is refused with %s', async (_what, input, code) => {
    const before = await read()
    expect((await send('updateVm', input)).code).toBe(code)
    expect(await read()).toEqual(before)
  })
})
