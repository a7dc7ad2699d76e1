import { expect, test } from 'vitest'
import { playOnSandboxes } from './play-all.ts'
import { recordedTimelines } from './recorded.ts'

/* What every object of a real cluster went through, done again in the sandbox. */
const timelines = recordedTimelines()

test.skipIf(timelines === null)(
  timelines === null
    ? 'skipped: the recordings are not beside this checkout'
    : 'objects go through the states that were recorded',
  async ({ annotate }) => {
    const all = timelines ?? []
    const differing = await playOnSandboxes(all)
    await annotate(`${all.length - differing.size} of ${all.length} timelines are the same`)
    expect([...differing].map(([id, found]) => [id, ...found.slice(0, 5)])).toEqual([])
  },
  600_000,
)
