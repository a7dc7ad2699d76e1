import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../../support/json.ts'
import {
  TroubledLives,
  type Trouble,
  livesOfTrouble,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { VmSnapshotLives } from '../../support/scenarios/vm-snapshot-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'

const kindsHere = [
  'create_vm_snapshot',
  'restore_vm',
  'delete_vm_snapshot',
] as const satisfies readonly OperationKind[]

let world: World
let its: VmSnapshotLives
beforeAll(async () => {
  world = await aWorld()
  its = await VmSnapshotLives.in(world)
})

describe.concurrent('each step of a VM snapshot’s operations and of a restore', () => {
  let lives: TroubledLives
  let untroubled: Life
  let expected: Json[]
  beforeAll(async () => {
    lives = new TroubledLives(kindsHere)
    untroubled = await begin([])
    expected = await whole(untroubled)
  })
  afterAll(() => lives[Symbol.dispose]())

  interface Life {
    machine: { vmId: string; volumeId: string }
    snapshotId: string
  }

  const ofRestore = ({ at }: { at: string }): boolean => at.startsWith('restore_vm')

  async function begin(troubles: readonly Trouble[]): Promise<Life> {
    const machine = await its.machine()
    await lives.begin(troubles.filter(ofRestore), () => Promise.resolve(machine.vmId))
    const ofSnapshot = troubles.filter((trouble) => !ofRestore(trouble))
    return { machine, snapshotId: await lives.begin(ofSnapshot, () => its.take(machine.vmId)) }
  }

  /** Taken, restored and deleted: what is left after each. */
  async function whole({ machine, snapshotId }: Life): Promise<Json[]> {
    await world.ended('create_vm_snapshot', snapshotId)
    const taken = await its.leftOfSnapshot(snapshotId)
    const { safetySnapshot } = await its.snapshots.ask(
      'restoreVm',
      { vmId: machine.vmId, snapshotId },
      0,
    )
    await lives.begin([], () => Promise.resolve(safetySnapshot.id))
    await world.ended('restore_vm', machine.vmId)
    await its.volumes.inState(machine.volumeId, 'attached')
    const isTold = async (): Promise<boolean> => (await its.leftOfMachine(machine)).told
    await waitFor(isTold, { timeoutMs: 15_000, what: 'the machine to be told what it is' })
    const restored = [await its.leftOfMachine(machine), await its.leftOfSnapshot(safetySnapshot.id)]
    await its.snapshots.ask('deleteVmSnapshot', { id: snapshotId }, 0)
    await world.ended('delete_vm_snapshot', snapshotId)
    return [taken, ...restored, await its.leftOfSnapshot(snapshotId)]
  }

  test('has a failpoint before and after it, named as in the registry', () => {
    const { machine, snapshotId } = untroubled
    const arrivals = [...lives.arrivalsOf(machine.vmId), ...lives.arrivalsOf(snapshotId)]
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

  test.each(livesOfTrouble(kindsHere))(
    'that meets trouble ends as if there had been none: $told',
    async ({ troubles }) => {
      const life = await begin(troubles)
      expect(await whole(life)).toEqual(expected)
      const subject = (trouble: Trouble): string =>
        ofRestore(trouble) ? life.machine.vmId : life.snapshotId
      expect(troubles.filter((trouble) => !lives.isMet(subject(trouble), trouble))).toEqual([])
    },
  )

  const moments = allStepPoints(['create_vm_snapshot']).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where })),
  )
  test.each(moments)(
    'that meets a delete of the snapshot ends with it, and nothing is left: $where $at',
    async ({ at, where }) => {
      // The step waits while the delete is asked for.
      const { vmId } = await its.machine()
      const id = await lives.begin([{ at, where, do: 'delay', delayMs: 150, nth: 1 }], () =>
        its.take(vmId),
      )
      await waitFor(() => lives.arrivalsOf(id).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} ${at}`,
      })
      await its.snapshots.ask('deleteVmSnapshot', { id }, 0)
      await world.ended('delete_vm_snapshot', id)
      expect(await its.leftOfSnapshot(id)).toMatchObject({ gone: true, object: null })
      expect(
        await world.database.sql(
          `select 1 from operation where target_id = '${id}' and finished_at is null`,
        ),
      ).toEqual([])
    },
  )
})

describe('a restore that does not come to its end', () => {
  test('fails at its deadline, leaves nothing in the way, not even its size, and the next one succeeds', async () => {
    const machine = await its.machine()
    const { id: snapshotId } = await its.snapshots.taken(machine.vmId)
    const { name } = await its.vms.row(machine.vmId)
    const size = { cpu: 2, memory_mi: 512 }
    await its.vms.tenant.admin.ask(
      'mutation ($i: UpdateVmInput!) { updateVm(input: $i, waitSeconds: 20) { vm { id } } }',
      {
        i: { id: machine.vmId, cpu: 2, memoryMi: 512 },
      },
    )
    // Somebody else's restore of the same VM waits for a snapshot that is not there.
    const place = `/apis/snapshot.kubevirt.io/v1beta1/namespaces/${its.vms.namespace}/virtualmachinerestores`
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
    expect((await world.cluster.call(place, { method: 'POST', body })).status).toBe(201)
    const ask = { vmId: machine.vmId, snapshotId, safetySnapshot: false }
    expect((await its.snapshots.ask('restoreVm', ask)).operation).toMatchObject({
      state: 'failed',
      fault: { code: 'invalid_input' },
    })
    await world.cluster.call(`${place}/${body.metadata.name}`, { method: 'DELETE' })
    const isBack = async (): Promise<boolean> =>
      (await its.vms.row(machine.vmId)).restored_id !== null
    await waitFor(isBack, { timeoutMs: 15_000, what: 'the restore to be cleared away' })
    expect(await its.vms.row(machine.vmId)).toMatchObject(size)
    const taken = await its.snapshots.restored(machine.vmId, snapshotId, { safetySnapshot: false })
    expect(taken.vm.busyWith).toBeNull()
    expect(await its.leftOfMachine(machine)).toMatchObject({ isRestored: true, restoring: false })
  })
})
