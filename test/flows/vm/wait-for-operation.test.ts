import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
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

describe('mutations with waitSeconds', () => {
  const waiting = (verb: string): string =>
    `mutation ($i: ${verb[0]?.toUpperCase()}${verb.slice(1)}Input!, $s: Int) {
       ${verb}(input: $i, waitSeconds: $s) { vm { id state deleting } operation { id state progress } } }`
  const sendAndWait = async (
    verb: string,
    seconds: number,
    { input = {}, client = vms.tenant.admin }: Json = {},
  ) => client.graphql(waiting(verb), { i: { id, ...input }, s: seconds })

  test('a mutation answers when its operation has ended, with the state of the VM at that moment', async () => {
    const stopped = await sendAndWait('stopVm', 30)
    expect(stopped.data.stopVm).toMatchObject({
      vm: { state: 'Stopped' },
      operation: { state: 'succeeded', progress: 100 },
    })
    const started = await sendAndWait('startVm', 30)
    expect(started.data.startVm).toMatchObject({
      vm: { state: 'Running' },
      operation: { state: 'succeeded' },
    })
  })

  test('a mutation answers with the progress of its operation when the time is over', async () => {
    holdAt('pause_vm.vm')
    const { data } = await sendAndWait('pauseVm', 1)
    expect(data.pauseVm.vm.state).not.toBe('Paused')
    expect(['pending', 'running']).toContain(data.pauseVm.operation.state)
    planFailpoints(null)
    expect((await vms.end(data.pauseVm.operation.id)).state).toBe('succeeded')
    expect((await sendAndWait('resumeVm', 30)).data.resumeVm.vm.state).toBe('Running')
  })

  test('a mutation is carried out when the client closes the connection', async () => {
    holdAt('pause_vm.vm')
    const body = JSON.stringify({ query: waiting('pauseVm'), variables: { i: { id }, s: 60 } })
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${vms.tenant.admin.token}`,
    }
    const call = request(`${world.url}/graphql`, { method: 'POST', headers, agent: false })
    call.on('error', () => undefined)
    call.end(body)
    const open = `select id from operation where target_id = '${id}' and kind = 'pause_vm' and finished_at is null`
    await waitFor(async () => (await world.database.sql(open)).length === 1, {
      timeoutMs: 10_000,
      what: 'the pause operation to be open',
    })
    const [operation] = await world.database.sql(open)
    call.destroy()
    planFailpoints(null)
    expect((await vms.end(String(operation?.['id']))).state).toBe('succeeded')
    expect((await sendAndWait('resumeVm', 30)).data.resumeVm.operation.state).toBe('succeeded')
  })

  test('a mutation returns the same operation when it is repeated under one key with another wait', async () => {
    const client = vms.tenant.admin.with({ 'idempotency-key': randomUUID() })
    const first = await sendAndWait('restartVm', 0, { client })
    const second = await sendAndWait('restartVm', 30, { client })
    expect(second.data.restartVm.operation).toEqual({
      id: first.data.restartVm.operation.id,
      state: 'succeeded',
      progress: 100,
    })
  })

  test.each([-1, 61])(
    'a mutation is refused and starts no operation when it requests a wait of %d seconds',
    async (seconds) => {
      const { count } =
        (await world.database.sql(`select count(*) from operation where target_id = '${id}'`))[0] ??
        {}
      expect((await sendAndWait('pauseVm', seconds)).code).toBe('invalid_input')
      const after = await world.database.sql(
        `select count(*) from operation where target_id = '${id}'`,
      )
      expect(after).toEqual([{ count }])
    },
  )

  test('a mutation that deletes a VM answers with the deleted VM', async () => {
    const { data } = await sendAndWait('deleteVm', 30)
    expect(data.deleteVm).toMatchObject({
      vm: { id, deleting: true },
      operation: { state: 'succeeded' },
    })
    const found = await vms.tenant.admin.ask('query ($id: ID!) { vm(id: $id) { id } }', { id })
    expect(found.vm).toBeNull()
  })
})
