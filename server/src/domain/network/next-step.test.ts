import { expect, test } from 'vitest'
import {
  type DesiredNetwork,
  type ObservedAttachment,
  type ObservedSubnet,
  nextStep,
} from './next-step.ts'

const desired: DesiredNetwork = {
  deleteRequested: false,
  isGone: false,
  isActive: false,
  isAssigned: true,
  hasNamespace: true,
  needsSubnet: false,
  writtenVersion: null,
  subnetGeneration: 1,
}
const written: DesiredNetwork = { ...desired, writtenVersion: '7' }
const open: DesiredNetwork = { ...written, isActive: true }
const deleting: DesiredNetwork = { ...open, deleteRequested: true }
const deleted: DesiredNetwork = { ...deleting, isGone: true }
const there: ObservedAttachment = { uid: 'a', version: '7', isOwned: true, isDeleting: false }
const terminating: ObservedAttachment = { ...there, isDeleting: true }
const foreign: ObservedAttachment = { ...there, isOwned: false }

const cases: [
  because: string,
  row: DesiredNetwork,
  observed: ObservedAttachment | null,
  step: unknown,
][] = [
  [
    'a new network gets a segment before its VPC is ready',
    { ...desired, isAssigned: false, hasNamespace: false },
    null,
    { do: 'assign' },
  ],
  [
    'a network waits for the namespace of its VPC',
    { ...desired, hasNamespace: false },
    null,
    { do: 'wait' },
  ],
  ['the attachment is created', desired, null, { do: 'applyAttachment' }],
  [
    'an existing attachment is applied again to learn its version',
    desired,
    there,
    { do: 'applyAttachment' },
  ],
  ['a network with its attachment becomes active', written, there, { do: 'open' }],
  ['an active network needs nothing', open, there, { do: 'nothing' }],
  ['an attachment that was deleted by hand is recreated', open, null, { do: 'applyAttachment' }],
  [
    'an attachment that was changed by hand is corrected',
    open,
    { ...there, version: '8' },
    { do: 'applyAttachment' },
  ],
  ['a terminating attachment is waited for', open, terminating, { do: 'wait' }],
  ['an attachment of another owner is a failure', desired, foreign, { do: 'fail' }],
  [
    'a deletion removes the attachment first',
    deleting,
    there,
    { do: 'deleteAttachment', uid: 'a' },
  ],
  ['a deletion waits for the attachment to go', deleting, terminating, { do: 'wait' }],
  ['a deletion erases the network after its attachment', deleting, null, { do: 'erase' }],
  ['a deletion leaves an attachment of another owner', deleting, foreign, { do: 'erase' }],
  [
    'an attachment created after the deletion is removed',
    deleted,
    there,
    { do: 'deleteAttachment', uid: 'a' },
  ],
  ['a deleted network needs nothing', deleted, null, { do: 'nothing' }],
]

test.each(cases)('the next step of a network is decided: %s', (...[, row, observed, step]) => {
  expect(nextStep(row, { attachment: observed, subnet: null })).toEqual(step)
})

const subnet: ObservedSubnet = {
  uid: 's',
  generation: 1,
  isOwned: true,
  isDeleting: false,
  isReady: true,
}
const withSubnet = (row: DesiredNetwork): DesiredNetwork => ({ ...row, needsSubnet: true })

test.each<
  [
    because: string,
    row: DesiredNetwork,
    attachment: ObservedAttachment | null,
    subnet: ObservedSubnet | null,
    step: unknown,
  ]
>([
  ['the subnet is created before the attachment', desired, null, null, { do: 'applySubnet' }],
  [
    'the attachment waits for a ready subnet',
    desired,
    null,
    { ...subnet, isReady: false },
    { do: 'wait' },
  ],
  ['the attachment follows a ready subnet', desired, null, subnet, { do: 'applyAttachment' }],
  ['a missing subnet is recreated', open, there, null, { do: 'applySubnet' }],
  [
    'a subnet that was changed by hand is corrected',
    open,
    there,
    { ...subnet, generation: 2 },
    { do: 'applySubnet' },
  ],
  [
    'a terminating subnet is waited for',
    open,
    there,
    { ...subnet, isDeleting: true },
    { do: 'wait' },
  ],
  [
    'a subnet of another owner is a failure',
    desired,
    null,
    { ...subnet, isOwned: false },
    { do: 'fail' },
  ],
  [
    'the attachment is deleted before the subnet',
    deleting,
    there,
    subnet,
    { do: 'deleteAttachment', uid: 'a' },
  ],
  [
    'the subnet is deleted after the attachment',
    deleting,
    null,
    subnet,
    { do: 'deleteSubnet', uid: 's' },
  ],
  [
    'a deletion waits until all addresses are released',
    deleting,
    null,
    { ...subnet, isDeleting: true },
    { do: 'wait' },
  ],
  ['the network is erased after its subnet', deleting, null, null, { do: 'erase' }],
  [
    'a subnet of another owner stays',
    deleting,
    null,
    { ...subnet, isOwned: false },
    { do: 'erase' },
  ],
  [
    'a subnet created after the deletion is removed',
    deleted,
    null,
    subnet,
    { do: 'deleteSubnet', uid: 's' },
  ],
  [
    'a deleted network does not wait for a leftover subnet',
    deleted,
    null,
    { ...subnet, isDeleting: true },
    { do: 'nothing' },
  ],
])(
  'the next step of a network with a subnet is decided: %s',
  (...[, row, attachment, observed, step]) => {
    expect(nextStep(withSubnet(row), { attachment, subnet: observed })).toEqual(step)
  },
)
