import { expect, test } from 'vitest'
import { replayOnSandboxes } from './sandboxes.ts'
import { isEnough, sharesOf } from './shares.ts'
import { recordedCases } from './cases.ts'
import known from './known.json' with { type: 'json' }

/*
 * Replays requests to a real kube-apiserver on the sandbox. known.json lists each difference with
 * its reason, and that list may only shrink.
 */
const cases = recordedCases()

test.skipIf(cases === null)(
  cases === null
    ? 'the replay is skipped: the recordings are not next to this checkout'
    : 'the sandbox responds as the recorded cluster did',
  async ({ annotate }) => {
    const all = cases ?? []
    const differing = await replayOnSandboxes(all, (id) => id in known)
    const unexpected = [...differing]
      .filter(([id]) => !(id in known))
      .map(([id, found]) => [id, ...found.slice(0, 3)])
    // A case with a race proves nothing in either direction, because the clusters decide it by
    // timing.
    const healed = Object.entries(known).filter(
      ([id, reason]) => !differing.has(id) && !reason.startsWith('race: '),
    )
    await annotate(`${all.length - differing.size} of ${all.length} cases are the same`)
    expect(sharesOf(all, differing).filter((share) => !isEnough(share))).toEqual([])
    expect(unexpected).toEqual([])
    expect(healed, 'cases that match now: remove them from known.json').toEqual([])
  },
  600_000,
)
