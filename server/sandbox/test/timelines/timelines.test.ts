import { expect, test } from 'vitest'
import { playOnSandboxes } from './play-all.ts'
import { recordedTimelines } from './recorded.ts'

/*
 * Repeats recorded scenarios of a real cluster in the sandbox, and compares the history of every
 * object.
 */
const timelines = recordedTimelines()

test.skipIf(timelines === null)(
  timelines === null
    ? 'the timelines are skipped: the recordings are not next to this checkout'
    : 'objects go through the states that were recorded',
  async ({ annotate }) => {
    const all = timelines ?? []
    const differing = await playOnSandboxes(all)
    await annotate(`${all.length - differing.size} of ${all.length} timelines are the same`)
    expect([...differing].map(([id, found]) => [id, ...found.slice(0, 5)])).toEqual([])
  },
  600_000,
)
