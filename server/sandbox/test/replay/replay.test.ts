import { expect, test } from 'vitest'
import { replayOnSandboxes } from './sandboxes.ts'
import { isEnough, sharesOf } from './shares.ts'
import { recordedCases } from './cases.ts'
import known from './known.json' with { type: 'json' }

/*
 * What a real kube-apiserver answered, put to the sandbox. What differs stands in
 * known.json with the reason, and that list may only shrink.
 */
const cases = recordedCases()

test.skipIf(cases === null)(
  cases === null
    ? 'skipped: the recordings are not beside this checkout'
    : 'the sandbox answers as the recorded cluster did',
  async ({ annotate }) => {
    const all = cases ?? []
    const differing = await replayOnSandboxes(all, (id) => id in known)
    const unexpected = [...differing]
      .filter(([id]) => !(id in known))
      .map(([id, found]) => [id, ...found.slice(0, 3)])
    // A case that the clusters themselves decide one way or the other, by who comes first, proves
    // nothing either way.
    const healed = Object.entries(known).filter(
      ([id, reason]) => !differing.has(id) && !reason.startsWith('race: '),
    )
    await annotate(`${all.length - differing.size} of ${all.length} cases are the same`)
    expect(sharesOf(all, differing).filter((share) => !isEnough(share))).toEqual([])
    expect(unexpected).toEqual([])
    expect(healed, 'cases that are right now and must leave the list').toEqual([])
  },
  600_000,
)
