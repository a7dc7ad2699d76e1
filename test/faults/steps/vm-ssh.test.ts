import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { brokenRules } from '../../support/world/invariants.ts'
import { VmLives, stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const kinds = ['expose_vm_ssh', 'unexpose_vm_ssh'] as const satisfies readonly OperationKind[]

let world: World
let lives: VmLives
let vm: string
beforeAll(async () => {
  world = await aWorld()
  lives = await VmLives.in(world, { pace: 0.05 })
  vm = await lives.ready()
})
afterEach(() => planFailpoints(null))

const ofSsh = ({ objects }: Awaited<ReturnType<VmLives['left']>>): string[] =>
  objects.flatMap(([kind]) => (['services', 'endpointslices'].includes(kind) ? [kind] : [])).sort()

async function mustEndWell(kind: (typeof kinds)[number], id = vm): Promise<void> {
  const { operation } = await lives.ask(kind, id)
  const { state, progress, fault_code: fault, steps } = await lives.end(operation.id)
  expect({ state, progress, fault }).toEqual({ state: 'succeeded', progress: 100, fault: null })
  expect(stepsOf(steps).every((step) => step.endsWith(' done'))).toBe(true)
  expect(ofSsh(await lives.left(id))).toEqual(
    kind === 'expose_vm_ssh' ? ['endpointslices', 'services'] : [],
  )
}

describe('each step of opening and closing SSH', () => {
  test('has a failpoint before and after it, named as in the registry', async () => {
    const seen = new Set<string>()
    planFailpoints({ rules: [], seen: (name, where) => void seen.add(`${name} ${where}`) })
    for (const kind of kinds) await mustEndWell(kind)
    const points = allStepPoints(kinds)
    expect([...seen].filter((name) => points.some((at) => name.startsWith(at))).sort()).toEqual(
      points.flatMap((at) => [`${at} after`, `${at} before`]).sort(),
    )
  })

  const rules = [
    { where: 'before', do: 'error', nth: 1 },
    { where: 'after', do: 'error', nth: 1 },
    { where: 'before', do: 'repeat' },
  ] as const
  const troubles = allStepPoints(kinds).flatMap((at) => rules.map((rule) => ({ at, ...rule })))
  test.each(troubles)(
    'that meets trouble ends as if there had been none: $at $where $do',
    async (rule) => {
      let strikes = 0
      planFailpoints({
        rules: [rule],
        seen: (name, where) => void (name === rule.at && where === rule.where ? strikes++ : 0),
      })
      for (const kind of kinds) await mustEndWell(kind)
      expect(strikes).toBeGreaterThanOrEqual(1)
    },
  )

  test('that meets the end of the VM ends with it, and nothing is left', async () => {
    for (const at of allStepPoints(['expose_vm_ssh'])) {
      const doomed = await lives.ready()
      const asking: Promise<Json>[] = []
      // The step waits while the delete is asked for.
      planFailpoints({
        rules: [{ at, where: 'before', do: 'delay', delayMs: 150, nth: 1 }],
        seen: (name, when) =>
          void (asking.length === 0 && name === at && when === 'before'
            ? asking.push(lives.ask('delete_vm', doomed))
            : 0),
      })
      await lives.ask('expose_vm_ssh', doomed)
      await waitFor(() => asking.length > 0, { timeoutMs: 15_000, what: `before ${at}` })
      await Promise.all(asking)
      await lives.ended('delete_vm', doomed)
      const isGone = async (): Promise<boolean> => ofSsh(await lives.left(doomed)).length === 0
      await waitFor(isGone, { timeoutMs: 15_000, what: 'what led to the VM to be gone' })
      expect(
        await world.database.sql(
          `select 1 from operation where target_id = '${doomed}' and finished_at is null`,
        ),
      ).toEqual([])
    }
    await waitFor(async () => (await brokenRules(world)).length === 0, {
      timeoutMs: 15_000,
      what: 'the world to be at rest',
    })
  })
})

test('the newer of two wishes counts', async () => {
  const opening = await lives.ask('expose_vm_ssh', vm)
  const closing = await lives.ask('unexpose_vm_ssh', vm)
  expect((await lives.end(closing.operation.id)).state).toBe('succeeded')
  expect(['superseded', 'succeeded']).toContain((await lives.end(opening.operation.id)).state)
  expect(ofSsh(await lives.left(vm))).toEqual([])
})
