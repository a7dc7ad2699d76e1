import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../../support/json.ts'
import {
  StepFaultScenarios,
  stepFaultScenarios,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { type VmScenarios } from '../../support/scenarios/vm-scenarios.ts'
import { type VolumeActions } from '../../support/actions/volume-actions.ts'
import { VolumeScenarios, volumeKinds } from '../../support/scenarios/volume-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { aWorld } from '../../support/world/world.ts'

let fixtures: VolumeScenarios
let vms: VmScenarios
let volumes: VolumeActions
let vmId: string
beforeAll(async () => {
  fixtures = await VolumeScenarios.in(await aWorld())
  ;({ vms, volumes, vmId } = fixtures)
})

describe.concurrent('each step of a volume’s operations', () => {
  let scenarios: StepFaultScenarios
  let undisturbedId: string
  let expected: Json[]
  beforeAll(async () => {
    scenarios = new StepFaultScenarios()
    undisturbedId = await scenarios.begin([], fixtures.begin)
    expected = await fixtures.whole(undisturbedId)
  })
  afterAll(() => scenarios[Symbol.dispose]())

  test('each step has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(scenarios.arrivalsOf(undisturbedId))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(volumeKinds))
    expect(expected).toMatchObject([
      { sizeGi: 1, grownGi: 1, in: false, held: false, claim: 200, volume: true },
      { sizeGi: 2, grownGi: 2 },
      { in: true, held: true },
      { in: false, held: false, claim: 200 },
      { gone: true, claim: 404, volume: null },
    ])
    expect(expected.at(-1).operations.map(({ state }: Json) => state)).toEqual(
      volumeKinds.map(() => 'succeeded'),
    )
  })

  test.each(stepFaultScenarios(volumeKinds))(
    'a step with faults ends like one without: $title',
    async ({ faults }) => {
      const id = await scenarios.begin(faults, fixtures.begin)
      expect(await fixtures.whole(id)).toEqual(expected)
      expect(faults.filter((fault) => !scenarios.isMet(id, fault))).toEqual([])
    },
  )

  const moments = (kind: OperationKind) =>
    allStepFailpoints([kind]).flatMap((at) =>
      (['before', 'after'] as const).map((where) => ({ at, where })),
    )
  const isAt = (id: string, { at, where }: { at: string; where: string }): Promise<void> =>
    waitFor(() => scenarios.arrivalsOf(id).includes(`${at} ${where}`), {
      timeoutMs: 20_000,
      what: `${where} ${at}`,
    })

  test.each(moments('create_volume'))(
    'a delete during the creation of a volume ends the operation and leaves nothing: $where $at',
    async (moment) => {
      // The step waits while the delete is requested.
      const id = await scenarios.begin(
        [{ ...moment, do: 'delay', delayMs: 150, nth: 1 }],
        fixtures.begin,
      )
      await isAt(id, moment)
      await fixtures.ask('delete_volume', id)
      await fixtures.ended('delete_volume', id)
      expect(await fixtures.left(id)).toMatchObject({ gone: true, claim: 404, volume: null })
      expect(await fixtures.unfinished(id)).toEqual([])
    },
  )

  test.each(moments('attach_volume'))(
    'a detach during the attachment of a volume leaves it in no VM: $where $at',
    async (moment) => {
      const id = await scenarios.begin(
        [{ ...moment, do: 'delay', delayMs: 150, nth: 1 }],
        fixtures.begin,
      )
      await fixtures.ended('create_volume', id)
      await fixtures.ask('attach_volume', id)
      await isAt(id, moment)
      expect(await volumes.refusal('deleteVolume', { id })).toBe('in_use')
      await fixtures.ask('detach_volume', id)
      await fixtures.ended('detach_volume', id)
      await fixtures.ended('attach_volume', id)
      await volumes.inState(id, 'ready')
      expect(await fixtures.left(id)).toMatchObject({ in: false, held: false, claim: 200 })
      await fixtures.ask('delete_volume', id)
      await fixtures.ended('delete_volume', id)
      expect(await fixtures.unfinished(id)).toEqual([])
    },
  )
})

describe('two requests for the same volume', () => {
  test('a volume that two VMs request at the same time goes to one, and the other request is refused', async () => {
    const other = await vms.ready({ start: false })
    for (const [one, two] of [
      [vmId, other],
      [other, vmId],
    ] as const) {
      const { id } = await volumes.made()
      const codes = await Promise.all([
        volumes.refusal('attachVolume', { id, vmId: one }),
        volumes.refusal('attachVolume', { id, vmId: two }),
      ])
      expect(codes.toSorted()).toEqual(['in_use', null])
      await fixtures.ended('attach_volume', id)
      expect([one, two]).toContain((await volumes.row(id)).held_by)
      expect((await volumes.ask('detachVolume', { id })).operation.state).toBe('succeeded')
    }
  })

  test('a volume whose VM is deleted during the attachment is free again, and no operation stays open', async () => {
    for (const isFirst of [true, false]) {
      const doomed = await vms.ready()
      const { id } = await volumes.made()
      const attach = () => volumes.refusal('attachVolume', { id, vmId: doomed })
      const [code] = await Promise.all(
        isFirst
          ? [attach(), vms.ask('delete_vm', doomed)]
          : [vms.ask('delete_vm', doomed).then(attach)],
      )
      if (!isFirst) expect(['wrong_state', 'not_found']).toContain(code)
      await vms.ended('delete_vm', doomed)
      await volumes.inState(id, 'ready')
      await waitFor(async () => (await fixtures.unfinished(id)).length === 0, {
        timeoutMs: 15_000,
        what: 'all operations to end',
      })
      expect(await fixtures.left(id)).toMatchObject({ in: false, held: false, claim: 200 })
    }
  })
})
