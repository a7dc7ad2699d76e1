import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../../support/json.ts'
import {
  TroubledLives,
  livesOfTrouble,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { type VmLives } from '../../support/scenarios/vm-scenarios.ts'
import { type VolumeActs } from '../../support/actions/volume-actions.ts'
import { VolumeLives, volumeKinds } from '../../support/scenarios/volume-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { aWorld } from '../../support/world/world.ts'

let its: VolumeLives
let vms: VmLives
let volumes: VolumeActs
let vmId: string
beforeAll(async () => {
  its = await VolumeLives.in(await aWorld())
  ;({ vms, volumes, vmId } = its)
})

describe.concurrent('each step of a volume’s operations', () => {
  let lives: TroubledLives
  let untroubled: string
  let expected: Json[]
  beforeAll(async () => {
    lives = new TroubledLives()
    untroubled = await lives.begin([], its.begin)
    expected = await its.whole(untroubled)
  })
  afterAll(() => lives[Symbol.dispose]())

  test('has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(lives.arrivalsOf(untroubled))].sort(), { timeout: 15_000 })
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

  test.each(livesOfTrouble(volumeKinds))(
    'that meets trouble ends as if there had been none: $told',
    async ({ troubles }) => {
      const id = await lives.begin(troubles, its.begin)
      expect(await its.whole(id)).toEqual(expected)
      expect(troubles.filter((trouble) => !lives.isMet(id, trouble))).toEqual([])
    },
  )

  const moments = (kind: OperationKind) =>
    allStepPoints([kind]).flatMap((at) =>
      (['before', 'after'] as const).map((where) => ({ at, where })),
    )
  const isAt = (id: string, { at, where }: { at: string; where: string }): Promise<void> =>
    waitFor(() => lives.arrivalsOf(id).includes(`${at} ${where}`), {
      timeoutMs: 20_000,
      what: `${where} ${at}`,
    })

  test.each(moments('create_volume'))(
    'of its making that meets a delete ends with the delete: $where $at',
    async (moment) => {
      // The step waits while the delete is asked for.
      const id = await lives.begin([{ ...moment, do: 'delay', delayMs: 150, nth: 1 }], its.begin)
      await isAt(id, moment)
      await its.ask('delete_volume', id)
      await its.ended('delete_volume', id)
      expect(await its.left(id)).toMatchObject({ gone: true, claim: 404, volume: null })
      expect(await its.unfinished(id)).toEqual([])
    },
  )

  test.each(moments('attach_volume'))(
    'of its attachment that meets a detachment ends in no VM: $where $at',
    async (moment) => {
      const id = await lives.begin([{ ...moment, do: 'delay', delayMs: 150, nth: 1 }], its.begin)
      await its.ended('create_volume', id)
      await its.ask('attach_volume', id)
      await isAt(id, moment)
      expect(await volumes.refusal('deleteVolume', { id })).toBe('in_use')
      await its.ask('detach_volume', id)
      await its.ended('detach_volume', id)
      await its.ended('attach_volume', id)
      await volumes.inState(id, 'ready')
      expect(await its.left(id)).toMatchObject({ in: false, held: false, claim: 200 })
      await its.ask('delete_volume', id)
      await its.ended('delete_volume', id)
      expect(await its.unfinished(id)).toEqual([])
    },
  )
})

describe('two who want the same volume', () => {
  test('at the same time: one gets it, and the other is told why not', async () => {
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
      await its.ended('attach_volume', id)
      expect([one, two]).toContain((await volumes.row(id)).held_by)
      expect((await volumes.ask('detachVolume', { id })).operation.state).toBe('succeeded')
    }
  })

  test('where one deletes the VM meanwhile: the volume is free again, and nothing is promised any more', async () => {
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
      await waitFor(async () => (await its.unfinished(id)).length === 0, {
        timeoutMs: 15_000,
        what: 'all promises to end',
      })
      expect(await its.left(id)).toMatchObject({ in: false, held: false, claim: 200 })
    }
  })
})
