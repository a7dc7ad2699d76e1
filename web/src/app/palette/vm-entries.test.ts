import { expect, test } from 'vitest'
import type { FoundVm } from '../../api/search.ts'
import { vmEntries, vmTextIn } from './vm-entries.ts'

const vm = (name: string, refusal: string | null = null): FoundVm => ({
  id: name,
  name,
  state: 'Running',
  actions: [
    { action: 'stop', refusal },
    { action: 'start', refusal: 'It runs already' },
  ],
})
const means = {
  whyNot: (_permission: string, refusal?: string | null) => refusal ?? null,
  deed: () => {},
  go: () => {},
}
const labels = (vms: FoundVm[], text: string) =>
  vmEntries(vms, text, means).map(({ label }) => label)

test.each([
  { text: 'stop db', left: 'db', because: 'a verb stands before the name' },
  { text: 'sto db-1', left: 'db-1', because: 'the beginning of a verb is enough' },
  { text: 'reboot db', left: 'db', because: 'other words for it count' },
  { text: 'stop', left: 'stop', because: 'a machine may be called so' },
  { text: 'db stop', left: 'db stop', because: 'the name of something may be of two words' },
])('of “$text”, “$left” is looked for: $because', ({ text, left }) => {
  expect(vmTextIn(text)).toBe(left)
})

test('a verb is offered for each machine that was found, with the reason where it is refused', () => {
  expect(labels([vm('db-1'), vm('db-2')], 'stop db')).toEqual([
    'Stop db-1',
    'Stop by force db-1',
    'Stop db-2',
    'Stop by force db-2',
  ])
  expect(vmEntries([vm('db-1')], 'start db', means)[0]).toMatchObject({
    label: 'Start db-1',
    refusal: 'It runs already',
  })
})

test('without a verb, all that is allowed is offered for a machine that is meant alone', () => {
  expect(labels([vm('db-1'), vm('db-2')], 'db')).toEqual([])
  expect(labels([vm('db-1'), vm('db-10')], 'db-1')).toContain('Stop db-1')
  expect(labels([vm('db-1')], 'db')).toContain('Stop db-1')
  expect(labels([vm('db-1')], 'db')).not.toContain('Start db-1')
  expect(vmEntries([vm('db-1')], 'db', { ...means, whyNot: () => 'Not for you' })).toEqual([])
})
