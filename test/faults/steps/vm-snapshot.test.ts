import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../../support/json.ts'
import {
  StepFaultScenarios,
  type StepFault,
  stepFaultScenarios,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { VmSnapshotScenarios } from '../../support/scenarios/vm-snapshot-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'

const kindsHere = [
  'create_vm_snapshot',
  'restore_vm',
  'delete_vm_snapshot',
] as const satisfies readonly OperationKind[]

let world: World
let fixtures: VmSnapshotScenarios
beforeAll(async () => {
  world = await aWorld()
  fixtures = await VmSnapshotScenarios.in(world)
})

describe.concurrent('each step of a VM snapshot’s operations and of a restore', () => {
  let scenarios: StepFaultScenarios
  let undisturbed: Scenario
  let expected: Json[]
  beforeAll(async () => {
    scenarios = new StepFaultScenarios(kindsHere)
    undisturbed = await begin([])
    expected = await lifecycleOf(undisturbed)
  })
  afterAll(() => scenarios[Symbol.dispose]())

  interface Scenario {
    vm: { vmId: string; volumeId: string }
    snapshotId: string
  }

  const isOfRestore = ({ at }: { at: string }): boolean => at.startsWith('restore_vm')

  async function begin(faults: readonly StepFault[]): Promise<Scenario> {
    const vm = await fixtures.vmWithVolume()
    await scenarios.begin(faults.filter(isOfRestore), () => Promise.resolve(vm.vmId))
    const ofSnapshot = faults.filter((fault) => !isOfRestore(fault))
    return { vm, snapshotId: await scenarios.begin(ofSnapshot, () => fixtures.take(vm.vmId)) }
  }

  /** Takes, restores and deletes a snapshot, and returns the state after each of these. */
  async function lifecycleOf({ vm, snapshotId }: Scenario): Promise<Json[]> {
    await world.ended('create_vm_snapshot', snapshotId)
    const taken = await fixtures.stateOfSnapshot(snapshotId)
    const { safetySnapshot } = await fixtures.snapshots.ask(
      'restoreVm',
      { vmId: vm.vmId, snapshotId },
      0,
    )
    await scenarios.begin([], () => Promise.resolve(safetySnapshot.id))
    await world.ended('restore_vm', vm.vmId)
    await fixtures.volumes.inState(vm.volumeId, 'attached')
    const isApplied = async (): Promise<boolean> => (await fixtures.stateOfVm(vm)).told
    await waitFor(isApplied, { timeoutMs: 15_000, what: 'the spec of the VM to be applied' })
    const restored = [
      await fixtures.stateOfVm(vm),
      await fixtures.stateOfSnapshot(safetySnapshot.id),
    ]
    await fixtures.snapshots.ask('deleteVmSnapshot', { id: snapshotId }, 0)
    await world.ended('delete_vm_snapshot', snapshotId)
    return [taken, ...restored, await fixtures.stateOfSnapshot(snapshotId)]
  }

  test('each step has a failpoint before and after it, named as in the registry', () => {
    const { vm, snapshotId } = undisturbed
    const arrivals = [...scenarios.arrivalsOf(vm.vmId), ...scenarios.arrivalsOf(snapshotId)]
    expect([...new Set(arrivals)].sort()).toEqual(pointsOf(kindsHere))
    expect(expected).toMatchObject([
      {
        state: 'ready',
        object: true,
        consistency: 'powered_off',
        disks: [{ reason: 'forgets' }, { included: true }],
      },
      {
        state: 'Stopped',
        restoring: false,
        isRestored: true,
        volume: { state: 'attached', isIn: true },
      },
      { state: 'ready', object: true },
      { gone: true, object: null, operations: [{ state: 'succeeded' }, { state: 'succeeded' }] },
    ])
  })

  test.each(stepFaultScenarios(kindsHere))(
    'a step with faults ends like one without: $title',
    async ({ faults }) => {
      const scenario = await begin(faults)
      expect(await lifecycleOf(scenario)).toEqual(expected)
      const subject = (fault: StepFault): string =>
        isOfRestore(fault) ? scenario.vm.vmId : scenario.snapshotId
      expect(faults.filter((fault) => !scenarios.isMet(subject(fault), fault))).toEqual([])
    },
  )

  const moments = allStepFailpoints(['create_vm_snapshot']).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where })),
  )
  test.each(moments)(
    'a deletion of the snapshot during a step ends the operation and leaves nothing: $where $at',
    async ({ at, where }) => {
      // The step waits while the delete is requested.
      const { vmId } = await fixtures.vmWithVolume()
      const id = await scenarios.begin([{ at, where, do: 'delay', delayMs: 150, nth: 1 }], () =>
        fixtures.take(vmId),
      )
      await waitFor(() => scenarios.arrivalsOf(id).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} ${at}`,
      })
      await fixtures.snapshots.ask('deleteVmSnapshot', { id }, 0)
      await world.ended('delete_vm_snapshot', id)
      expect(await fixtures.stateOfSnapshot(id)).toMatchObject({ gone: true, object: null })
      expect(
        await world.database.sql(
          `select 1 from operation where target_id = '${id}' and finished_at is null`,
        ),
      ).toEqual([])
    },
  )
})

describe('a restore that does not finish', () => {
  test('a restore that fails at its deadline changes nothing, not even the size, and the next one succeeds', async () => {
    const vm = await fixtures.vmWithVolume()
    const { id: snapshotId } = await fixtures.snapshots.taken(vm.vmId)
    const { name } = await fixtures.vms.row(vm.vmId)
    const size = { cpu: 2, memory_mi: 512 }
    await fixtures.vms.tenant.admin.ask(
      'mutation ($i: UpdateVmInput!) { updateVm(input: $i, waitSeconds: 20) { vm { id } } }',
      {
        i: { id: vm.vmId, cpu: 2, memoryMi: 512 },
      },
    )
    // A restore of the same VM by another client waits for a snapshot that does not exist.
    const path = `/apis/snapshot.kubevirt.io/v1beta1/namespaces/${fixtures.vms.namespace}/virtualmachinerestores`
    const target = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name }
    const spec = {
      target,
      virtualMachineSnapshotName: 'none',
      targetReadinessPolicy: 'WaitEventually',
    }
    const body = {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineRestore',
      metadata: { name: unique('other') },
      spec,
    }
    expect((await world.cluster.call(path, { method: 'POST', body })).status).toBe(201)
    const ask = { vmId: vm.vmId, snapshotId, safetySnapshot: false }
    expect((await fixtures.snapshots.ask('restoreVm', ask)).operation).toMatchObject({
      state: 'failed',
      fault: { code: 'platform_error' },
    })
    await world.cluster.call(`${path}/${body.metadata.name}`, { method: 'DELETE' })
    const isBack = async (): Promise<boolean> =>
      (await fixtures.vms.row(vm.vmId)).restored_id !== null
    await waitFor(isBack, { timeoutMs: 15_000, what: 'the restore to be cleared away' })
    expect(await fixtures.vms.row(vm.vmId)).toMatchObject(size)
    const taken = await fixtures.snapshots.restored(vm.vmId, snapshotId, { safetySnapshot: false })
    expect(taken.vm.busyWith).toBeNull()
    expect(await fixtures.stateOfVm(vm)).toMatchObject({ isRestored: true, restoring: false })
  })
})
