import { expect, test } from 'vitest'
import { type AskedVpc, type SeenPlace, type SeenRouter, nextStep } from './next-step.ts'

const asked: AskedVpc = {
  deleteRequested: false,
  isGone: false,
  isActive: false,
  clusterUid: null,
  networksLeft: 0,
}
const open: AskedVpc = { ...asked, isActive: true, clusterUid: 'a' }
const going: AskedVpc = { ...open, deleteRequested: true }
const gone: AskedVpc = { ...going, isGone: true }
const there: SeenPlace = { uid: 'a', isOurs: true, isTerminating: false }
const leaving: SeenPlace = { ...there, isTerminating: true }
const strange: SeenPlace = { ...there, isOurs: false }

const cases: [because: string, row: AskedVpc, seen: SeenPlace | null, step: unknown][] = [
  ['a new one is made', asked, null, { do: 'applyNamespace' }],
  ['what was made is opened', asked, there, { do: 'open', uid: 'a' }],
  ['an open one is left alone', open, there, { do: 'nothing' }],
  ['one that was removed by hand is made again', open, null, { do: 'applyNamespace' }],
  ['one that is being removed by hand is waited for', open, leaving, { do: 'wait' }],
  [
    'another one in its place is known from then on',
    open,
    { ...there, uid: 'b' },
    { do: 'open', uid: 'b' },
  ],
  ['a stranger’s is nothing to build on', asked, strange, { do: 'fail' }],
  ['networks go first', { ...going, networksLeft: 1 }, there, { do: 'wait' }],
  ['then its namespace', going, there, { do: 'deleteNamespace', uid: 'a' }],
  ['which takes a while', going, leaving, { do: 'wait' }],
  ['and then the row', going, null, { do: 'erase' }],
  ['a stranger’s is not removed', going, strange, { do: 'erase' }],
  ['what was made after the end is removed', gone, there, { do: 'deleteNamespace', uid: 'a' }],
  ['after the end there is nothing to wait for', gone, leaving, { do: 'nothing' }],
  ['or to do', gone, null, { do: 'nothing' }],
]

test.each(cases)('%s', (...[, row, seen, step]) => {
  expect(nextStep(row, seen, null)).toEqual(step)
})

const router: SeenRouter = { uid: 'r', isOurs: true, isDeleting: false }

test.each<[because: string, row: AskedVpc, router: SeenRouter, step: unknown]>([
  ['stays as long as there is a network', { ...going, networksLeft: 1 }, router, { do: 'wait' }],
  ['goes after the last of them', going, router, { do: 'deleteRouter', uid: 'r' }],
  ['is waited for', going, { ...router, isDeleting: true }, { do: 'wait' }],
  [
    'is left where it is when it is a stranger’s',
    going,
    { ...router, isOurs: false },
    { do: 'deleteNamespace', uid: 'a' },
  ],
  ['goes also when it was made after the end', gone, router, { do: 'deleteRouter', uid: 'r' }],
])('the router of its subnets %s', (...[, row, seen, step]) => {
  expect(nextStep(row, there, seen)).toEqual(step)
})
