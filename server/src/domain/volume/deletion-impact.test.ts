import { expect, test } from 'vitest'
import { volumeDeletionImpactOf } from './deletion-impact.ts'

const volume = { name: 'data', sizeGi: 5, refusal: null }
const unreferenced = { snapshots: 0, vmSnapshots: 0, schedules: [] }

const impact = (
  references: typeof unreferenced | Parameters<typeof volumeDeletionImpactOf>[1],
): string[] =>
  volumeDeletionImpactOf(volume, references).items.map(({ kind, fate, name }) =>
    [kind, fate, name].join(' ').trim(),
  )

test.each([
  {
    because: 'nothing refers to the volume',
    references: unreferenced,
    impact: ['content lost data', 'name released data', 'record kept'],
  },
  {
    because: 'schedules end and snapshots remain',
    references: {
      snapshots: 1,
      vmSnapshots: 2,
      schedules: [{ name: 'nightly' }, { name: 'weekly' }],
    },
    impact: [
      'content lost data',
      'snapshot_schedule lost nightly',
      'snapshot_schedule lost weekly',
      'name released data',
      'volume_snapshot kept',
      'vm_snapshot kept',
      'record kept',
    ],
  },
])(
  'the deletion impact of a volume lists what is lost and kept: $because',
  ({ references, impact: expected }) => {
    expect(impact(references)).toEqual(expected)
  },
)

test('each impact is one sentence, in singular and plural', () => {
  for (const count of [1, 2])
    for (const { sentence } of volumeDeletionImpactOf(volume, {
      snapshots: count,
      vmSnapshots: count,
      schedules: [{ name: 'one' }],
    }).items)
      expect(String(sentence)).toMatch(/^[A-Z0-9].*[^.]\.$/)
})
