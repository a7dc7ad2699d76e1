import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import {
  StepFaultScenarios,
  pointsOf,
  stepFaultsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { VmSnapshotScenarios } from '../../support/scenarios/vm-snapshot-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'

const kinds = ['deploy_vm'] as const

let world: World
let fixtures: VmSnapshotScenarios
let scenarios: StepFaultScenarios
let snapshotId: string
let original: Json
let undisturbedId: string
let expected: Json
beforeAll(async () => {
  world = await aWorld()
  fixtures = await VmSnapshotScenarios.in(world)
  const { vmId } = await fixtures.vmWithVolume()
  original = await fixtures.vms.vmSpec(vmId)
  snapshotId = (await fixtures.snapshots.taken(vmId, { acceptMissing: true })).id
  scenarios = new StepFaultScenarios(kinds)
  undisturbedId = await scenarios.begin([], copy)
  expected = await endState(undisturbedId)
})
afterAll(() => scenarios[Symbol.dispose]())

const copy = async (name = unique('copy')): Promise<string> =>
  (await fixtures.snapshots.ask('cloneVmSnapshot', { snapshotId, name, start: false }, 0)).vm.id

const volumesOf = (vmId: string): Promise<Json[]> =>
  world.database
    .sql(`select volume.id, volume.name, volume.state, volume.vm_id = vm.id as "isIn", volume.gone_at is not null as gone
    from volume join vm on volume.name like vm.name || '-%' where vm.id = '${vmId}'`)

/**
 * Returns the final state of the clone and of the copies of its volumes, without values that differ
 * between runs.
 */
async function endState(id: string): Promise<Json> {
  await fixtures.vms.ended('deploy_vm', id)
  const isIn = async (): Promise<boolean> =>
    (await volumesOf(id)).every(({ state }) => state === 'attached')
  await waitFor(isIn, { timeoutMs: 20_000, what: 'the copies of the volumes to be attached' })
  const volumes = (await volumesOf(id)).map(({ state, isIn: isThere, gone }) => ({
    state,
    isThere,
    gone,
  }))
  return { ...(await fixtures.vms.left(id)), volumes }
}

describe.concurrent('each step of a deploy from a snapshot', () => {
  test('each step has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(scenarios.arrivalsOf(undisturbedId))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(kinds))
    expect(expected).toMatchObject({
      vm: { state: 'Stopped', gone: false },
      volumes: [{ state: 'attached', isThere: true, gone: false }],
      operations: [{ kind: 'deploy_vm', state: 'succeeded' }],
    })
  })

  // The earlier steps are the same as in every deploy.
  const faults = stepFaultsOf(kinds).filter(({ at }) => at.endsWith('.disk') || at.endsWith('.vm'))
  test.each(faults)('a step with a fault ends like one without: $at $where $do', async (fault) => {
    const id = await scenarios.begin([fault], copy)
    expect(await endState(id)).toEqual(expected)
    expect(scenarios.isMet(id, fault)).toBe(true)
  })
})

describe('a clone that cannot be created', () => {
  test('a clone that cannot be created keeps its copies of volumes, and they are free after its deletion', async () => {
    const name = unique('taken')
    const path = `/apis/kubevirt.io/v1/namespaces/${fixtures.vms.namespace}/virtualmachines`
    const body = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name },
      spec: { runStrategy: 'Halted', template: { spec: original } },
    }
    expect((await world.cluster.call(path, { method: 'POST', body })).status).toBe(201)
    const id = await scenarios.begin([], () => copy(name))
    await fixtures.vms.ended('deploy_vm', id)
    const [copied] = await volumesOf(id)
    const volume = String(copied?.id)
    expect(await fixtures.volumes.row(volume)).toMatchObject({ vm_id: id, gone_at: null })
    expect(await fixtures.vms.row(id)).toMatchObject({ state: 'Failed', gone_at: null })
    await fixtures.vms.ask('delete_vm', id)
    await fixtures.vms.ended('delete_vm', id)
    await fixtures.volumes.inState(volume, 'ready')
    expect((await fixtures.volumes.claim(volume)).status).toBe(200)
  })
})
