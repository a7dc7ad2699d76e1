import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import {
  TroubledLives,
  livesOfTrouble,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { VmLives, vmKinds } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
let vms: VmLives
let lives: TroubledLives
let untroubled: string
let expected: unknown[]
beforeAll(async () => {
  world = await aWorld()
  vms = await VmLives.in(world)
  lives = new TroubledLives()
  untroubled = await lives.begin([], vms.begin)
  expected = await vms.whole(untroubled)
})
afterAll(() => lives[Symbol.dispose]())

describe.concurrent('each step of a VM’s operations', () => {
  test('has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(lives.arrivalsOf(untroubled))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(vmKinds))
    expect(expected).toMatchObject([
      { vm: { state: 'Running', power: 'on', gone: false } },
      { vm: { state: 'Stopped', power: 'off', gone: false } },
      { vm: { state: 'Running', power: 'on', gone: false } },
      { vm: { gone: true }, objects: [] },
    ])
  })

  test.each(livesOfTrouble(vmKinds))(
    'that meets trouble ends as if there had been none: $told',
    async ({ troubles }) => {
      const id = await lives.begin(troubles, vms.begin)
      expect(await vms.whole(id)).toEqual(expected)
      expect(troubles.filter((trouble) => !lives.isMet(id, trouble))).toEqual([])
    },
  )

  const places = allStepPoints(['deploy_vm']).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where })),
  )
  test.each(places)(
    'that meets a delete ends with the delete, and nothing is left: $where $at',
    async (place) => {
      // The step waits while the delete is asked for.
      const id = await lives.begin([{ ...place, do: 'delay', delayMs: 150, nth: 1 }], vms.begin)
      await waitFor(() => lives.arrivalsOf(id).includes(`${place.at} ${place.where}`), {
        timeoutMs: 15_000,
        what: `${place.where} ${place.at}`,
      })
      await vms.ask('delete_vm', id)
      await vms.ended('delete_vm', id)
      expect(await vms.left(id)).toMatchObject({ vm: { gone: true }, objects: [] })
      expect(
        await world.database.sql(
          `select 1 from operation where target_id = '${id}' and finished_at is null`,
        ),
      ).toEqual([])
    },
  )
})
