import { beforeAll, describe, expect, test } from 'vitest'
import { aFailedDeploy } from '../../support/actions/failed-deploy.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
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

const fields =
  'id name state deleting explanation { code cause nextStep whoCanFix } actions { action allowed refusal }'
const read = async (id: string): Promise<Json> =>
  (await tenant.admin.ask(`query ($id: ID!) { vm(id: $id) { ${fields} } }`, { id })).vm
const retry = `mutation ($id: ID!) { retryVm(input: { id: $id }) { vm { id } operation { id kind state } } }`

const uidsOf = async (id: string): Promise<Json> => {
  const [row] = await world.database.sql(
    `select cluster_uid, disk_uid, secret_uid, failed_at from vm where id = '${id}'`,
  )
  return row
}

const objectsOf = async (id: string): Promise<string[]> => {
  const kinds = [
    `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines`,
    `/apis/cdi.kubevirt.io/v1beta1/namespaces/${tenant.namespace}/datavolumes`,
    `/api/v1/namespaces/${tenant.namespace}/secrets`,
    `/apis/networking.k8s.io/v1/namespaces/${tenant.namespace}/networkpolicies`,
  ]
  const lists = await Promise.all(
    kinds.map((path) => world.cluster.call(`${path}?labelSelector=berth.dev/row-id=${id}`)),
  )
  return lists.flatMap(({ body }) => body.items.map(({ metadata }) => metadata.name)).sort()
}

/** Ends the time of the open operations on the object; each progress gives them a second more. */
const withoutTime = (id: string): Promise<unknown> =>
  world.database.sql(
    `update operation set deadline = now(), deadline_seconds = 1 where target_id = '${id}'`,
  )

describe('a deploy without progress', () => {
  test('a VM whose deploy misses its deadline is Failed, keeps its disks, and runs when the cluster completes it', async () => {
    const { id: volumeId } = await volumes.made()
    await sandboxFaults(world.cluster).inject('pace', { factor: 50 })
    const { id } = await vms.create({ rootDisk: 'persistent', dataVolumeId: volumeId })
    await waitFor(async () => (await uidsOf(id)).cluster_uid !== null, { what: 'the VM object' })
    await withoutTime(id)
    expect(await world.ended('deploy_vm', id)).toMatchObject({
      state: 'failed',
      fault_code: 'timeout',
    })
    await vms.inState(id, 'Failed')
    expect((await read(id)).explanation).toMatchObject({ code: 'deploy_failed', whoCanFix: 'you' })
    expect(await objectsOf(id)).toHaveLength(4)
    expect(await volumes.row(volumeId)).toMatchObject({ vm_id: id, gone_at: null })

    await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
    await vms.inState(id, 'Running')
    expect((await read(id)).explanation).toBeNull()
    expect(await uidsOf(id)).toMatchObject({ failed_at: null })
    await volumes.inState(volumeId, 'attached')
  })

  test('a retried deploy continues with what exists, and succeeds when the VM runs', async () => {
    await sandboxFaults(world.cluster).inject('pace', { factor: 50 })
    const { id } = await vms.create({ rootDisk: 'persistent' })
    await waitFor(async () => (await uidsOf(id)).cluster_uid !== null, { what: 'the VM object' })
    await withoutTime(id)
    await vms.inState(id, 'Failed')
    const before = await uidsOf(id)
    await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
    const answer = await tenant.admin.ask(retry, { id })
    expect(answer.retryVm.operation).toMatchObject({ kind: 'deploy_vm' })
    await vms.inState(id, 'Running')
    expect(await world.ended('deploy_vm', id)).toMatchObject({ state: 'succeeded' })
    expect(await uidsOf(id)).toEqual({ ...before, failed_at: null })
  })
})

describe('a refused deploy', () => {
  test('a VM whose deploy the cluster refuses is Failed with a reason, and a retry deploys it', async () => {
    const { vm, clearTheWay } = await aFailedDeploy(world, tenant, { rootDisk: 'persistent' })
    const failed = await read(vm.id)
    expect(failed).toMatchObject({ state: 'Failed', explanation: { code: 'deploy_failed' } })
    const allowed = failed.actions.filter((each: Json) => each.allowed)
    expect(allowed.map(({ action }: Json) => action).sort()).toEqual(
      ['delete', 'detachVolume', 'rename', 'retry'].sort(),
    )
    await clearTheWay()
    const headers = { 'idempotency-key': `retry-${vm.id}` }
    const send = () => tenant.admin.rest('POST', '/vms/retry', { body: { name: vm.name }, headers })
    const [first, second] = [await send(), await send()]
    expect(first.status).toBe(200)
    expect(second.text).toBe(first.text)
    await vms.inState(vm.id, 'Running')
    expect((await read(vm.id)).explanation).toBeNull()
    const operations = await world.database.sql(
      `select state from operation where target_id = '${vm.id}' and kind = 'deploy_vm' order by created_at`,
    )
    expect(operations.map(({ state }) => state)).toEqual(['failed', 'succeeded'])
    const audited = await world.database.sql(
      `select target_name, outcome from audit_event where operation = 'retryVm' and target_id = '${vm.id}'`,
    )
    expect(audited.length).toBeGreaterThan(0)
  })

  test('a retried deploy is refused while the reason lasts, and the deletion of the VM leaves nothing', async () => {
    const { vm, clearTheWay } = await aFailedDeploy(world, tenant, { rootDisk: 'persistent' })
    await tenant.admin.ask(retry, { id: vm.id })
    const ends = `select state from operation where target_id = '${vm.id}' and kind = 'deploy_vm' and state = 'failed'`
    await waitFor(async () => (await world.database.sql(ends)).length === 2, {
      what: 'the retry to fail',
    })
    await vms.inState(vm.id, 'Failed')
    await vms.ask('deleteVm', vm.id)
    expect(await world.ended('delete_vm', vm.id)).toMatchObject({ state: 'succeeded' })
    await waitFor(async () => (await objectsOf(vm.id)).length === 0, {
      what: 'its parts to be gone',
    })
    await clearTheWay()
  })

  test('a VM is retried only when it failed, and only by a user with the permission', async () => {
    const { vm, clearTheWay } = await aFailedDeploy(world, tenant, { rootDisk: 'ephemeral' })
    const viewer = await tenant.as('viewer')
    expect((await viewer.graphql(retry, { id: vm.id })).code).toBe('forbidden')
    await clearTheWay()
    await tenant.admin.ask(retry, { id: vm.id })
    await vms.inState(vm.id, 'Running')
    await world.ended('deploy_vm', vm.id)
    expect((await tenant.admin.graphql(retry, { id: vm.id })).code).toBe('wrong_state')
  })
})

test('a volume that is not ready at its deadline fails, stays in the cluster, and is ready later', async () => {
  await sandboxFaults(world.cluster).inject('controllers/hold', {
    controller: 'datavolume-import-controller',
  })
  const { id } = (await volumes.ask('createVolume', { name: unique('vol'), sizeGi: 1 }, 0)).volume
  await waitFor(async () => (await volumes.row(id)).cluster_uid !== null, {
    what: 'its DataVolume',
  })
  await withoutTime(id)
  expect(await world.ended('create_volume', id)).toMatchObject({
    state: 'failed',
    fault_code: 'timeout',
  })
  await volumes.inState(id, 'failed')
  await sandboxFaults(world.cluster).inject('controllers/release', {
    controller: 'datavolume-import-controller',
  })
  await volumes.inState(id, 'ready')
})
