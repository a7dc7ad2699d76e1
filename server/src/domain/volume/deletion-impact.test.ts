import { expect, test } from 'vitest'
import { volumeDeletionImpactOf } from './deletion-impact.ts'

const volume = { name: 'data', sizeGi: 5, refusal: null }
const alone = { snapshots: 0, vmSnapshots: 0, schedules: [] }

const told = (referring: typeof alone | Parameters<typeof volumeDeletionImpactOf>[1]): string[] =>
  volumeDeletionImpactOf(volume, referring).items.map(({ kind, fate, name }) =>
    [kind, fate, name].join(' ').trim(),
  )

test.each([
  {
    because: 'nothing refers to it',
    referring: alone,
    told: ['content lost data', 'name released data', 'record kept'],
  },
  {
    because: 'schedules end, and what was taken stays',
    referring: {
      snapshots: 1,
      vmSnapshots: 2,
      schedules: [{ name: 'nightly' }, { name: 'weekly' }],
    },
    told: [
      'content lost data',
      'snapshot_schedule lost nightly',
      'snapshot_schedule lost weekly',
      'name released data',
      'volume_snapshot kept',
      'vm_snapshot kept',
      'record kept',
    ],
  },
])('what goes with a volume is told: $because', ({ referring, told: expected }) => {
  expect(told(referring)).toEqual(expected)
})

test('each sentence is one, whether there is one of them or more', () => {
  for (const count of [1, 2])
    for (const { sentence } of volumeDeletionImpactOf(volume, {
      snapshots: count,
      vmSnapshots: count,
      schedules: [{ name: 'one' }],
    }).items)
      expect(String(sentence)).toMatch(/^[A-Z0-9].*[^.]\.$/)
})
