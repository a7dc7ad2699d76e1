import { beforeAll, describe, expect, test } from 'vitest'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { type Json } from '../../support/json.ts'
import { type ClusterAccount, clusterAccount } from '../../support/sandbox/cluster-account.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Replica, anotherReplica } from '../../support/world/replica.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

/*
 * A worker whose account has exactly the rights that Berth declares, or one fewer. The cluster
 * serves NMState, which Berth is not configured to use.
 */
let world: World
let account: ClusterAccount
let worker: Replica
let tenant: WorldTenant
let vms: VmActions
let volumes: VolumeActions
const denied = [
  'patch virtualmachines.kubevirt.io',
  'patch datavolumes.cdi.kubevirt.io',
  'watch volumesnapshots.snapshot.storage.k8s.io',
]

beforeAll(async () => {
  world = await aWorld({
    worker: false,
    config: (config) => void (config.cluster.with = ['nmstate']),
  })
  account = await clusterAccount(world.cluster, 'berth')
  await account.grantAllBut((right) => denied.includes(right) || right.includes('nmstate.io'))
  const options = { worker: true, api: false, kubeconfig: account.kubeconfig }
  worker = await anotherReplica(world, options)
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
  volumes = new VolumeActions(world, tenant)
})

const readiness = async (): Promise<string> => (await fetch(`${worker.url}/readyz`)).text()

const logged = (event: string): Json[] =>
  worker.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === event)

const problemsOf = async (replica: Replica): Promise<string[]> => {
  const answer = await fetch(`${replica.url}/api/v1/cluster-problems`, {
    headers: { authorization: `Bearer ${world.root.token}` },
  })
  return ((await answer.json()) as { problems: string[] }).problems
}

const explained = `explanation { code cause nextStep whoCanFix }`
const readVm = async (id: string): Promise<Json> =>
  (await tenant.admin.ask(`query ($id: ID!) { vm(id: $id) { state ${explained} } }`, { id })).vm
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

describe('an account that lacks three rights', () => {
  let deployed: Json[]

  test('a worker is not ready, and names the account, the verb and the resource', async () => {
    const lacks = (right: string) => `${account.user} lacks the right to ${right} in the cluster`
    await waitFor(async () => (await readiness()) !== 'ready\n', {
      timeoutMs: 20_000,
      what: 'the rights to be read',
    })
    const problems = (await readiness()).replace(/^not ready: |\n$/g, '').split('; ')
    expect(new Set(problems)).toEqual(new Set(denied.map(lacks)))
  })

  test('root reads the missing rights, and a tenant does not', async () => {
    const api = await anotherReplica(world, { kubeconfig: account.kubeconfig })
    await waitFor(async () => (await problemsOf(api)).length > 0, {
      timeoutMs: 20_000,
      what: 'the problems to be read',
    })
    expect(await problemsOf(api)).toHaveLength(denied.length)
    expect((await tenant.admin.rest('GET', '/cluster-problems')).status).toBe(403)
  })

  test('a deploy waits for the right, and the VM says that the operator can grant it', async () => {
    deployed = [await vms.create(), await vms.create()]
    for (const { id } of deployed) {
      await untilWaiting(id)
      const right = expect.stringContaining('patch virtualmachines.kubevirt.io')
      expect(await operationOn(id)).toMatchObject({ state: 'running', waitsFor: right })
      expect((await readVm(id)).explanation).toEqual({
        code: 'platform_incomplete',
        cause: right,
        nextStep: expect.stringContaining('operator'),
        whoCanFix: 'operator',
      })
    }
  })

  test('a volume waits for the right, and says that the operator can grant it', async () => {
    const { volume } = await volumes.ask('createVolume', { name: unique('vol'), sizeGi: 1 })
    expect(await operationOn(volume.id)).toMatchObject({
      state: 'running',
      waitsFor: expect.stringContaining('patch datavolumes.cdi.kubevirt.io'),
    })
    expect((await volumes.read(volume.id)).explanation).toEqual({
      code: 'platform_incomplete',
      whoCanFix: 'operator',
    })
  })

  test('the log has one error line for each missing right, and none for NMState', () => {
    const lines = logged('cluster.right_missing')
    const named = lines.map(({ level, user, verb, resource }) => [
      level,
      user,
      `${verb} ${resource}`,
    ])
    expect(new Set(named)).toEqual(new Set(denied.map((right) => ['error', account.user, right])))
    expect(lines).toHaveLength(denied.length)
  })

  test('no watch and no pass repeats a refusal of the cluster in the log', () => {
    const repeated = ['watch.failed', 'platform.object_apply_failed', 'reconcile.run_failed']
    expect(repeated.flatMap((event) => logged(event))).toEqual([])
  })

  test('a granted right ends the wait by itself, and the worker is ready', async () => {
    await account.grantAllBut((right) => right.includes('nmstate.io'))
    for (const { id } of deployed) await vms.inState(id, 'Running')
    expect((await readVm(deployed[0]?.id)).explanation).toBeNull()
    expect(await operationOn(deployed[0]?.id)).toMatchObject({ state: 'succeeded', waitsFor: null })
    await waitFor(async () => (await readiness()) === 'ready\n', {
      timeoutMs: 40_000,
      what: 'the worker to be ready',
    })
    expect(logged('cluster.right_no_longer_missing')).toHaveLength(denied.length)
  })

  test('the declared rights are enough to deploy a VM with a disk and to delete it', async () => {
    const { id } = await vms.running({ rootDisk: 'persistent' })
    await vms.ask('deleteVm', id)
    expect(await world.ended('delete_vm', id)).toMatchObject({ state: 'succeeded' })
    expect(logged('cluster.right_missing')).toHaveLength(denied.length)
  })
})
