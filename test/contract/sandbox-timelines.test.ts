import { expect, test } from 'vitest'
import known from './timelines/known.json' with { type: 'json' }
import { playOnSandboxes } from './timelines/play-all.ts'
import { recordedTimelines } from './timelines/recorded.ts'

/*
 * What every object of a real cluster went through, done again in the sandbox. What goes otherwise stands in timelines/known.json with the
 * reason, and that list may only shrink.
 */
const timelines = recordedTimelines()

test.skipIf(timelines === null)(
  timelines === null ? 'skipped: the recordings are not beside this checkout' : 'objects go through the states that were recorded',
  async ({ annotate }) => {
    const all = timelines ?? []
    const differing = await playOnSandboxes(all)
    await annotate(`${all.length - differing.size} of ${all.length} timelines are the same`)
    const unexpected = [...differing].filter(([id]) => !(id in known)).map(([id, found]) => [id, ...found.slice(0, 5)])
    const healed = Object.entries(known).filter(([id, reason]) => !differing.has(id) && !reason.startsWith('race: '))
    expect(unexpected).toEqual([])
    expect(healed, 'timelines that go right now and must leave the list').toEqual([])
  },
  600_000,
)
