import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type PowerVerb, powerVerbNames } from '../../../server/src/domain/vm/power-verbs.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { VmLives } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
let lives: VmLives
let id: string
beforeAll(async () => {
  world = await aWorld()
  lives = await VmLives.in(world, { pace: 0.05 })
  id = await lives.ready()
})

afterEach(() => planFailpoints(null))

/** Until the plan is lifted, nobody gets beyond this step. */
const holdAt = (at: string): void => planFailpoints({ rules: [{ at, do: 'error' }] })

const fields =
  'id name displayName state wantedPower cpu memoryMi tags deleteProtection restartRequired serviceOfferingId version'
const read = async (vm = id): Promise<Json> =>
  (await lives.tenant.admin.ask(`query ($id: ID!) { vm(id: $id) { ${fields} } }`, { id: vm })).vm

type Verb = `${PowerVerb}Vm` | 'deleteVm' | 'updateVm'
const verbs: Verb[] = [
  ...powerVerbNames.map((verb) => `${verb}Vm` as const),
  'updateVm',
  'deleteVm',
]

const documentOf = (verb: Verb, more = ''): string =>
  `mutation ($i: ${verb[0]?.toUpperCase()}${verb.slice(1)}Input!) { ${verb}(input: $i) { vm { ${fields} } operation { id kind state } ${more} } }`

const send = (verb: Verb, input: Json = {}, client = lives.tenant.admin) =>
  client.graphql(documentOf(verb), { i: { id, ...input } })

/** Asked for, and ended well. */
async function done(verb: Verb, input: Json = {}): Promise<Json> {
  const answer = (
    await lives.tenant.admin.ask(documentOf(verb, verb === 'updateVm' ? 'applies' : ''), {
      i: { id, ...input },
    })
  )[verb]
  if (answer.operation) expect((await lives.end(answer.operation.id)).state).toBe('succeeded')
  return answer
}

const sizeOf = async (vm = id): Promise<unknown> => {
  const { cpu, memory } = (await lives.instance(vm)).spec.domain
  return { cpu: cpu.sockets * cpu.cores * cpu.threads, memory: memory.guest }
}

describe('a VM that runs', () => {
  test('stands still and goes on, in the same run', async () => {
    const { uid } = (await lives.instance(id)).metadata
    expect((await done('pauseVm')).operation.kind).toBe('pause_vm')
    expect((await read()).state).toBe('Paused')
    await done('resumeVm')
    expect((await read()).state).toBe('Running')
    expect((await lives.instance(id)).metadata.uid).toBe(uid)
  })

  test('restarts once, however often it is asked to meanwhile', async () => {
    const { uid } = (await lives.instance(id)).metadata
    holdAt('restart_vm.machine')
    const [first, second] = await Promise.all([send('restartVm'), send('restartVm')])
    planFailpoints(null)
    const asked = first.data.restartVm.operation.id
    expect(second.data.restartVm.operation.id).toBe(asked)
    expect((await lives.end(asked)).state).toBe('succeeded')
    const after = (await lives.instance(id)).metadata.uid
    expect(after).not.toBe(uid)
    await done('pauseVm')
    await done('resumeVm')
    expect((await lives.instance(id)).metadata.uid).toBe(after)
  })

  test('restarts by force', async () => {
    const { uid } = (await lives.instance(id)).metadata
    await done('restartVm', { force: true })
    expect((await lives.instance(id)).metadata.uid).not.toBe(uid)
  })

  test('does what was asked under one key once, and answers the same', async () => {
    const client = lives.tenant.admin.with({ 'idempotency-key': randomUUID() })
    const first = await send('restartVm', {}, client)
    await lives.end(first.data.restartVm.operation.id)
    expect((await send('restartVm', {}, client)).data).toEqual(first.data)
    const restarts = await world.database.sql(
      `select state from operation where id = '${first.data.restartVm.operation.id}'`,
    )
    expect(restarts).toEqual([{ state: 'succeeded' }])
  })

  test('that shuts down is switched off by force, by the same promise', async () => {
    holdAt('stop_vm.machine')
    const gentle = await send('stopVm')
    const forced = await send('stopVm', { force: true })
    planFailpoints(null)
    expect(forced.data.stopVm.operation.id).toBe(gentle.data.stopVm.operation.id)
    expect((await lives.end(gentle.data.stopVm.operation.id)).state).toBe('succeeded')
    expect(await lives.row(id)).toMatchObject({ state: 'Stopped', forced: true })
    await done('startVm')
    expect(await lives.row(id)).toMatchObject({ state: 'Running', forced: false })
  })
})

describe('what cannot be done is refused in words', () => {
  const refusals = async (expected: readonly [Verb, string, Json?][]): Promise<void> => {
    const { name } = await read()
    for (const [verb, says, input] of expected) {
      const { code, body } = await send(verb, input)
      expect([verb, code, body.errors?.[0]?.message]).toEqual([
        verb,
        'wrong_state',
        `VM ${name} ${says}`,
      ])
    }
  }

  test('where it runs', () =>
    refusals([
      ['startVm', 'is running; there is nothing to do.'],
      ['resumeVm', 'is running; there is nothing to do.'],
    ]))

  test('where it stands still', async () => {
    await done('pauseVm')
    await refusals([
      ['startVm', 'is paused; resume it instead.'],
      ['pauseVm', 'is paused; there is nothing to do.'],
      ['updateVm', 'is paused; resume it first.', { cpu: 3 }],
    ])
    await done('resumeVm')
  })

  test('where it is off', async () => {
    await done('stopVm')
    await refusals([
      ['stopVm', 'is stopped; there is nothing to do.'],
      ['stopVm', 'is stopped; there is nothing to do.', { force: true }],
      ['restartVm', 'is stopped; start it instead.'],
      ['pauseVm', 'is stopped; start it first.'],
      ['resumeVm', 'is stopped; start it instead.'],
    ])
    await done('startVm')
  })

  test('where another wish was accepted and is not seen to come true yet', async () => {
    holdAt('stop_vm.machine')
    const { data } = await send('stopVm')
    await refusals([
      ['startVm', 'is shutting down; start it once it has stopped.'],
      ['restartVm', 'is shutting down; wait until it has stopped.'],
      ['pauseVm', 'is shutting down; wait until it has stopped.'],
    ])
    planFailpoints(null)
    await lives.end(data.stopVm.operation.id)
    await done('startVm')
  })

  test('where it is protected, and where it goes', async () => {
    const doomed = await lives.ready({ start: false, deleteProtection: true })
    const { name } = await lives.row(doomed)
    const refused = await send('deleteVm', { id: doomed })
    expect(refused.body.errors?.[0]?.message).toBe(
      `VM ${name} is protected against deletion; switch the protection off first.`,
    )
    expect(await done('updateVm', { id: doomed, deleteProtection: false })).toMatchObject({
      operation: null,
      applies: 'at_once',
    })
    holdAt('delete_vm.machine')
    const gone = await send('deleteVm', { id: doomed })
    for (const verb of verbs.filter((each) => each !== 'deleteVm')) {
      const { code, body } = await send(verb, { id: doomed })
      const says = `VM ${name} is being deleted; nothing can be done with it any more.`
      expect([verb, code, body.errors?.[0]?.message]).toEqual([verb, 'wrong_state', says])
    }
    planFailpoints(null)
    await lives.end(gone.data.deleteVm.operation.id)
  })

  test('to somebody who may only look', async () => {
    const viewer = await lives.tenant.as('viewer')
    for (const verb of verbs)
      expect([verb, (await send(verb, {}, viewer)).code]).toEqual([verb, 'forbidden'])
    expect(
      (await viewer.ask('query ($id: ID!) { vm(id: $id) { restartRequired } }', { id })).vm,
    ).toEqual({ restartRequired: false })
  })
})

describe('a change of a VM', () => {
  test('of its name, its tags and its protection is so at once, and the cluster has no part in it', async () => {
    const asked = {
      displayName: 'The database',
      tags: ['db', 'db', ' prod '],
      deleteProtection: true,
    }
    const { vm, operation, applies } = await done('updateVm', asked)
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

  test('that was made from an older reading is refused', async () => {
    const { version } = await read()
    const { vm } = await done('updateVm', { displayName: 'One', ifVersion: version })
    expect((await send('updateVm', { displayName: 'Two', ifVersion: version })).code).toBe(
      'version_conflict',
    )
    expect((await read()).displayName).toBe('One')
    expect(vm.version).toBeGreaterThan(version)
  })

  test('of its size waits for the next start where it runs, and says so until then', async () => {
    const before = await sizeOf()
    const { vm, operation, applies } = await done('updateVm', { cpu: 3, memoryMi: 3072 })
    expect({ kind: operation.kind, applies }).toEqual({ kind: 'resize_vm', applies: 'next_start' })
    expect(vm).toMatchObject({ cpu: 3, memoryMi: 3072, state: 'Running' })
    await waitFor(async () => (await read()).restartRequired === true, {
      timeoutMs: 15_000,
      what: 'the word that a restart is due',
    })
    expect(await sizeOf()).toEqual(before)
    await done('restartVm')
    expect(await sizeOf()).toEqual({ cpu: 3, memory: '3Gi' })
    await waitFor(async () => (await read()).restartRequired === false, {
      timeoutMs: 15_000,
      what: 'nothing to be due',
    })
  })

  test('of its size to less waits just so', async () => {
    expect((await done('updateVm', { memoryMi: 1024 })).applies).toBe('next_start')
    await waitFor(async () => (await read()).restartRequired === true, {
      timeoutMs: 15_000,
      what: 'the word that a restart is due',
    })
    expect(await sizeOf()).toEqual({ cpu: 3, memory: '3Gi' })
    await done('stopVm')
    expect((await read()).restartRequired).toBe(false)
    await done('startVm')
    expect(await sizeOf()).toEqual({ cpu: 3, memory: '1Gi' })
  })

  test('of its size to an offering’s is taken with the next start of one that is off', async () => {
    const off = await lives.ready({ start: false })
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
    ['a size that is none', { cpu: 0 }, 'invalid_input'],
    [
      'an offering that nobody has',
      { serviceOfferingId: '00000000-0000-4000-8000-00000000abcd' },
      'not_found',
    ],
    ['a tag that is too long', { tags: ['x'.repeat(65)] }, 'invalid_input'],
  ])('is refused with %s', async (_what, input, code) => {
    const before = await read()
    expect((await send('updateVm', input)).code).toBe(code)
    expect(await read()).toEqual(before)
  })
})
