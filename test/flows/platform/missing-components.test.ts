import { beforeAll, describe, expect, test } from 'vitest'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { Wire } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { hideGroups } from '../../support/sandbox/hide-groups.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
let volumes: VolumeActions
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
  volumes = new VolumeActions(world, tenant)
})

const cdi = ['cdi.kubevirt.io']
const kubevirt = ['kubevirt.io', 'subresources.kubevirt.io', 'snapshot.kubevirt.io']

const operationOn = async (targetId: string): Promise<Json> => {
  const query =
    'query ($f: OperationFilter) { operations(filter: $f) { nodes { id state waitsFor } } }'
  return (await tenant.admin.ask(query, { f: { targetId } })).operations.nodes[0]
}
const untilWaiting = (targetId: string): Promise<void> =>
  waitFor(async () => Boolean((await operationOn(targetId))?.waitsFor), {
    timeoutMs: 10_000,
    what: 'the operation to wait for the operator',
  })
const untilSucceeded = (targetId: string): Promise<void> =>
  waitFor(async () => (await operationOn(targetId)).state === 'succeeded', {
    timeoutMs: 30_000,
    what: 'the operation to succeed',
  })
const explanationOfVm = async (id: string): Promise<Json> =>
  (
    await tenant.admin.ask(
      'query ($id: ID!) { vm(id: $id) { explanation { code cause whoCanFix } } }',
      { id },
    )
  ).vm.explanation

const createVolume = async (): Promise<string> =>
  (await volumes.ask('createVolume', { name: unique('vol'), sizeGi: 1 })).volume.id

/** Lets the deadline of the open operations of an object pass, and makes its key due. */
async function letDeadlinePass(id: string): Promise<void> {
  await world.database.sql(
    `update operation set deadline = now() - interval '1 hour' where target_id = '${id}' and finished_at is null`,
  )
  await world.database.sql(`update work set due_at = now() where object_id = '${id}'`)
  await waitFor(
    async () => {
      const [row] = await world.database.sql(
        `select deadline > now() as extended from operation where target_id = '${id}'`,
      )
      return row?.['extended'] === true
    },
    { timeoutMs: 15_000, what: 'the deadline to be extended' },
  )
}

test('a replica answers once it knows what the cluster supports, also for a slow cluster', async () => {
  await sandboxFaults(world.cluster).inject('requests', {
    method: 'GET',
    path: '/apis',
    fault: { do: 'delay', ms: 400 },
  })
  const { url } = await anotherReplica(world)
  const wire = new Wire(() => url)
  const { token } = tenant.admin
  const body = { name: unique('early'), cidr: '10.77.0.0/16' }
  const answer = await wire.client(token).rest('POST', '/vpcs', { body })
  wire.close()
  expect(answer.text).toContain('10.77.0.0/16')
})

describe('a cluster without CDI', () => {
  test('a volume says that CDI is missing, outlives its deadline, and is created when CDI comes', async () => {
    const show = await hideGroups(world.cluster, cdi)
    const id = await createVolume()
    const missing = expect.stringContaining('CDI')
    expect(await operationOn(id)).toMatchObject({ state: 'running', waitsFor: missing })
    expect((await volumes.read(id)).explanation).toEqual({
      code: 'platform_incomplete',
      whoCanFix: 'operator',
    })
    await letDeadlinePass(id)
    expect(await operationOn(id)).toMatchObject({ state: 'running', waitsFor: missing })
    await show()
    await untilSucceeded(id)
    expect(await volumes.read(id)).toMatchObject({ state: 'ready', explanation: null })
    expect((await operationOn(id)).waitsFor).toBeNull()
  })

  test('an ephemeral VM is deployed and deleted', async () => {
    const show = await hideGroups(world.cluster, cdi)
    const { id } = await vms.running({ rootDisk: 'ephemeral' })
    await vms.ask('deleteVm', id)
    expect(await world.ended('delete_vm', id)).toMatchObject({ state: 'succeeded' })
    await show()
  })

  test('a VM with a disk says that CDI is missing, and is deployed when CDI comes', async () => {
    const show = await hideGroups(world.cluster, cdi)
    const { id } = await vms.create({ rootDisk: 'persistent' })
    await untilWaiting(id)
    expect(await explanationOfVm(id)).toEqual({
      code: 'platform_incomplete',
      cause: expect.stringContaining('CDI'),
      whoCanFix: 'operator',
    })
    await show()
    await vms.inState(id, 'Running')
    expect(await explanationOfVm(id)).toBeNull()
  })

  test('a volume and a VM that were never created are deleted', async () => {
    const show = await hideGroups(world.cluster, cdi)
    const volumeId = await createVolume()
    const vm = await vms.create({ rootDisk: 'persistent' })
    await untilWaiting(vm.id)
    await volumes.ask('deleteVolume', { id: volumeId })
    await vms.ask('deleteVm', vm.id)
    expect(await world.ended('delete_volume', volumeId)).toMatchObject({ state: 'succeeded' })
    expect(await world.ended('delete_vm', vm.id)).toMatchObject({ state: 'succeeded' })
    await show()
  })
})

describe('a cluster without KubeVirt', () => {
  test('a deploy says that KubeVirt is missing, outlives its deadline, and runs when KubeVirt comes', async () => {
    const show = await hideGroups(world.cluster, kubevirt)
    const { id } = await vms.create()
    await untilWaiting(id)
    expect(await explanationOfVm(id)).toEqual({
      code: 'platform_incomplete',
      cause: expect.stringContaining('KubeVirt is not installed'),
      whoCanFix: 'operator',
    })
    await letDeadlinePass(id)
    await show()
    await vms.inState(id, 'Running')
    await untilSucceeded(id)
  })

  test('a VM that runs stays, and its deletion waits until KubeVirt is back', async () => {
    const { id } = await vms.running()
    const show = await hideGroups(world.cluster, kubevirt)
    await vms.ask('deleteVm', id)
    await untilWaiting(id)
    await letDeadlinePass(id)
    expect(await operationOn(id)).toMatchObject({ state: 'running' })
    await show()
    await untilSucceeded(id)
  })
})

describe('the operator', () => {
  const readiness = async (url: string): Promise<string> => (await fetch(`${url}/readyz`)).text()

  test('a worker is not ready while KubeVirt and CDI are missing, and names both', async () => {
    const show = await hideGroups(world.cluster, [...kubevirt, ...cdi])
    const { url } = await anotherReplica(world, { worker: true, api: false })
    await waitFor(async () => (await readiness(url)) !== 'ready\n', {
      timeoutMs: 20_000,
      what: 'the cluster to be read',
    })
    expect(await readiness(url)).toMatch(/^not ready: KubeVirt is not .*; CDI, which .*\n$/)
    await show()
    await waitFor(async () => (await readiness(url)) === 'ready\n', {
      timeoutMs: 40_000,
      what: 'the worker to be ready',
    })
  })

  test('root reads which components are missing', async () => {
    const show = await hideGroups(world.cluster, cdi)
    const { url } = await anotherReplica(world)
    const problems = async (): Promise<string[]> => {
      const headers = { authorization: `Bearer ${world.root.token}` }
      const answer = await fetch(`${url}/api/v1/cluster-problems`, { headers })
      return ((await answer.json()) as { problems: string[] }).problems
    }
    await waitFor(async () => (await problems()).length > 0, {
      timeoutMs: 20_000,
      what: 'the cluster to be read',
    })
    expect(await problems()).toEqual([expect.stringContaining('CDI')])
    await show()
  })
})
