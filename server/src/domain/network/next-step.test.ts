import { expect, test } from 'vitest'
import { type AskedNetwork, type SeenAttachment, type SeenSubnet, nextStep } from './next-step.ts'

const asked: AskedNetwork = {
  deleteRequested: false,
  isGone: false,
  isActive: false,
  isAssigned: true,
  hasPlace: true,
  hasSubnet: false,
  seenVersion: null,
  subnetGeneration: 1,
}
const written: AskedNetwork = { ...asked, seenVersion: '7' }
const open: AskedNetwork = { ...written, isActive: true }
const going: AskedNetwork = { ...open, deleteRequested: true }
const gone: AskedNetwork = { ...going, isGone: true }
const there: SeenAttachment = { uid: 'a', version: '7', isOurs: true, isDeleting: false }
const leaving: SeenAttachment = { ...there, isDeleting: true }
const strange: SeenAttachment = { ...there, isOurs: false }

const cases: [because: string, row: AskedNetwork, seen: SeenAttachment | null, step: unknown][] = [
  [
    'a new one gets a segment, wherever its VPC is',
    { ...asked, isAssigned: false, hasPlace: false },
    null,
    { do: 'assign' },
  ],
  ['it waits for its VPC', { ...asked, hasPlace: false }, null, { do: 'wait' }],
  ['then it is made', asked, null, { do: 'applyAttachment' }],
  [
    'what is there already is written once more, to be known',
    asked,
    there,
    { do: 'applyAttachment' },
  ],
  ['what was written is opened', written, there, { do: 'open' }],
  ['an open one is left alone', open, there, { do: 'nothing' }],
  ['one that was removed by hand is made again', open, null, { do: 'applyAttachment' }],
  [
    'one that was changed by hand is put right',
    open,
    { ...there, version: '8' },
    { do: 'applyAttachment' },
  ],
  ['one that is on its way out is waited for', open, leaving, { do: 'wait' }],
  ['a stranger’s is nothing to build on', asked, strange, { do: 'fail' }],
  ['its attachment goes first', going, there, { do: 'deleteAttachment', uid: 'a' }],
  ['which may take a while', going, leaving, { do: 'wait' }],
  ['and only then its segment', going, null, { do: 'erase' }],
  ['a stranger’s is not removed', going, strange, { do: 'erase' }],
  ['what was made after the end is removed', gone, there, { do: 'deleteAttachment', uid: 'a' }],
  ['after the end there is nothing to do', gone, null, { do: 'nothing' }],
]

test.each(cases)('%s', (...[, row, seen, step]) => {
  expect(nextStep(row, { attachment: seen, subnet: null })).toEqual(step)
})

const subnet: SeenSubnet = {
  uid: 's',
  generation: 1,
  isOurs: true,
  isDeleting: false,
  isReady: true,
}
const withSubnet = (row: AskedNetwork): AskedNetwork => ({ ...row, hasSubnet: true })

test.each<
  [
    because: string,
    row: AskedNetwork,
    attachment: SeenAttachment | null,
    subnet: SeenSubnet | null,
    step: unknown,
  ]
>([
  ['its subnet comes before its attachment', asked, null, null, { do: 'applySubnet' }],
  ['which has to be ready', asked, null, { ...subnet, isReady: false }, { do: 'wait' }],
  ['and is built upon then', asked, null, subnet, { do: 'applyAttachment' }],
  ['one that is missed is made again', open, there, null, { do: 'applySubnet' }],
  [
    'one that was changed by hand is put right',
    open,
    there,
    { ...subnet, generation: 2 },
    { do: 'applySubnet' },
  ],
  ['one that leaves is waited for', open, there, { ...subnet, isDeleting: true }, { do: 'wait' }],
  [
    'a stranger’s is nothing to build on',
    asked,
    null,
    { ...subnet, isOurs: false },
    { do: 'fail' },
  ],
  ['nobody comes in before it goes', going, there, subnet, { do: 'deleteAttachment', uid: 'a' }],
  ['then it goes', going, null, subnet, { do: 'deleteSubnet', uid: 's' }],
  [
    'when nobody has an address of it',
    going,
    null,
    { ...subnet, isDeleting: true },
    { do: 'wait' },
  ],
  ['and only then the network', going, null, null, { do: 'erase' }],
  ['a stranger’s stays', going, null, { ...subnet, isOurs: false }, { do: 'erase' }],
  ['what was made after the end is removed', gone, null, subnet, { do: 'deleteSubnet', uid: 's' }],
  ['and not waited for', gone, null, { ...subnet, isDeleting: true }, { do: 'nothing' }],
])('with a subnet, %s', (...[, row, attachment, seen, step]) => {
  expect(nextStep(withSubnet(row), { attachment, subnet: seen })).toEqual(step)
})
