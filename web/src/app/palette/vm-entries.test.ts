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
const handlers = {
  whyNot: (_permission: string, refusal?: string | null) => refusal ?? null,
  command: () => {},
  go: () => {},
}
const labels = (vms: FoundVm[], text: string) =>
  vmEntries(vms, text, handlers).map(({ label }) => label)

test.each([
  { text: 'stop db', left: 'db', because: 'the first word is a verb' },
  { text: 'sto db-1', left: 'db-1', because: 'the beginning of a verb suffices' },
  { text: 'reboot db', left: 'db', because: 'a synonym of a verb counts as well' },
  { text: 'stop', left: 'stop', because: 'a VM may have this name' },
  { text: 'db stop', left: 'db stop', because: 'the first word is not a verb' },
])('the text “$text” searches for “$left”: $because', ({ text, left }) => {
  expect(vmTextIn(text)).toBe(left)
})

test('a verb in the text is offered for each VM found, with the reason when it is refused', () => {
  expect(labels([vm('db-1'), vm('db-2')], 'stop db')).toEqual([
    'Stop db-1',
    'Stop by force db-1',
    'Stop db-2',
    'Stop by force db-2',
  ])
  expect(vmEntries([vm('db-1')], 'start db', handlers)[0]).toMatchObject({
    label: 'Start db-1',
    refusal: 'It runs already',
  })
})

test('a text without a verb offers every allowed action when it names one VM', () => {
  expect(labels([vm('db-1'), vm('db-2')], 'db')).toEqual([])
  expect(labels([vm('db-1'), vm('db-10')], 'db-1')).toContain('Stop db-1')
  expect(labels([vm('db-1')], 'db')).toContain('Stop db-1')
  expect(labels([vm('db-1')], 'db')).not.toContain('Start db-1')
  expect(vmEntries([vm('db-1')], 'db', { ...handlers, whyNot: () => 'Not for you' })).toEqual([])
})
