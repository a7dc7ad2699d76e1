import { beforeAll, expect, test } from 'vitest'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
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
const vmOf = async (name: string): Promise<Json> => (await get(`/vms/${name}`)).body.vm
const inState = (name: string, state: string): Promise<void> =>
  waitFor(async () => (await vmOf(name)).state === state, {
    timeoutMs: 20_000,
    what: `${name} to be ${state}`,
  })

/** Runs the requests while no operation passes the step, so that the cluster shows nothing yet. */
async function withoutCluster<T>(at: string, act: () => Promise<T>): Promise<T> {
  planFailpoints({ rules: [{ at, do: 'error' }] })
  try {
    return await act()
  } finally {
    planFailpoints(null)
  }
}

const aVm = async (): Promise<string> => {
  const body = { name: unique('vm'), template_id: templateId }
  return (await post('/vms', body, { prefer: 'wait=20' })).body.vm.name
}

test('a VM is Starting from the answer to its deploy until it runs', async () => {
  const name = unique('vm')
  const states = await withoutCluster('deploy_vm.vm', async () => {
    const made = await post('/vms', { name, template_id: templateId })
    const { vms } = (await get('/dashboard/summary')).body
    return [made.body.vm.state, (await vmOf(name)).state, vms.running]
  })
  expect(states).toEqual(['Starting', 'Starting', undefined])
  await inState(name, 'Running')
})

test('a stop and a start answer with the state on the way, and every list agrees before the cluster acts', async () => {
  const name = await aVm()
  const views = async (): Promise<unknown[]> => {
    const [{ vms }, { body: summary }, { notifications }] = [
      (await get(`/vms?filter=${name}`)).body,
      await get('/dashboard/summary'),
      (await get('/notifications')).body,
    ]
    const recent = summary.recent_activity.find((each: Json) => each.name === name)
    const noticed = notifications.find(({ id }: Json) => id.includes(name))
    return [vms[0].state, recent.state, noticed?.id, summary.health]
  }
  const change = (verb: string): Promise<unknown[]> =>
    withoutCluster(`${verb}_vm.vm`, async () => {
      const { status, body } = await post(`/vms/${verb}`, { name })
      return [status, body.vm.state, ...(await views())]
    })
  const of = (state: string): unknown[] => [
    200,
    state,
    state,
    state,
    `vm-trans-${name}-${state}`,
    'warning',
  ]
  expect(await change('stop')).toEqual(of('Stopping'))
  await inState(name, 'Stopped')
  expect(await change('start')).toEqual(of('Starting'))
  await inState(name, 'Running')
})

test('a start of a running VM and a stop of a stopped VM succeed and change nothing', async () => {
  const name = await aVm()
  const repeated = async (verb: string): Promise<unknown[]> => {
    const before = await requestsOf(name)
    const { status, body } = await post(`/vms/${verb}`, { name }, { prefer: 'respond-async' })
    return [status, body.success, body.vm.state, (await requestsOf(name)) - before]
  }
  expect(await repeated('start')).toEqual([200, true, 'Running', 0])
  await post('/vms/stop', { name }, { prefer: 'wait=20' })
  expect(await repeated('stop')).toEqual([200, true, 'Stopped', 0])
})

/** Counts the accepted requests. The version of a row counts observations too. */
const requestsOf = async (name: string): Promise<number> => {
  const [vm] = await world.database.sql(`select generation from vm where name = '${name}'`)
  return Number(vm?.['generation'])
}

test('a VM whose guest shut itself down stays Stopped, and start brings it back', async () => {
  const name = await aVm()
  await sandboxFaults(world.cluster).inject('guest', {
    namespace: tenant.namespace,
    name,
    act: 'poweroff',
  })
  await inState(name, 'Stopped')
  expect((await post('/vms/start', { name })).body.vm.state).toBe('Starting')
  await inState(name, 'Running')
})

test('a volume is attached from the answer to the request on', async () => {
  const name = await aVm()
  const { volume } = (await post('/volumes', { name: unique('vol'), size_gi: 1 })).body
  const states = await withoutCluster('attach_volume.vm', async () => {
    const answer = await post(`/vms/${name}/volumes`, { volume_id: volume.id })
    const [listed] = (await get(`/vms/${name}/volumes`)).body.volumes
    return [answer.status, answer.body.volume.state, listed.state, listed.vm_id]
  })
  expect(states).toEqual([200, 'attached', 'attached', (await vmOf(name)).id])
})
