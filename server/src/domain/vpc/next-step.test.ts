import { expect, test } from 'vitest'
import {
  type DesiredVpc,
  type ObservedVpcNamespace,
  type ObservedRouter,
  nextStep,
} from './next-step.ts'

const desired: DesiredVpc = {
  deleteRequested: false,
  isGone: false,
  isActive: false,
  clusterUid: null,
  networksLeft: 0,
}
const open: DesiredVpc = { ...desired, isActive: true, clusterUid: 'a' }
const deleting: DesiredVpc = { ...open, deleteRequested: true }
const deleted: DesiredVpc = { ...deleting, isGone: true }
const there: ObservedVpcNamespace = { uid: 'a', isOwned: true, isTerminating: false }
const terminating: ObservedVpcNamespace = { ...there, isTerminating: true }
const foreign: ObservedVpcNamespace = { ...there, isOwned: false }

const cases: [
  because: string,
  row: DesiredVpc,
  observed: ObservedVpcNamespace | null,
  step: unknown,
][] = [
  ['a new VPC gets its namespace', desired, null, { do: 'applyNamespace' }],
  ['a VPC with its namespace becomes active', desired, there, { do: 'open', uid: 'a' }],
  ['an active VPC needs nothing', open, there, { do: 'nothing' }],
  ['a namespace that was deleted by hand is recreated', open, null, { do: 'applyNamespace' }],
  ['a namespace that is being deleted by hand is waited for', open, terminating, { do: 'wait' }],
  ['a recreated namespace is adopted', open, { ...there, uid: 'b' }, { do: 'open', uid: 'b' }],
  ['a namespace of another owner is a failure', desired, foreign, { do: 'fail' }],
  ['a deletion waits for the networks', { ...deleting, networksLeft: 1 }, there, { do: 'wait' }],
  [
    'a deletion removes the namespace after the networks',
    deleting,
    there,
    { do: 'deleteNamespace', uid: 'a' },
  ],
  ['a deletion waits for the namespace to go', deleting, terminating, { do: 'wait' }],
  ['the VPC is erased after its namespace', deleting, null, { do: 'erase' }],
  ['a deletion leaves a namespace of another owner', deleting, foreign, { do: 'erase' }],
  [
    'a namespace created after the deletion is removed',
    deleted,
    there,
    { do: 'deleteNamespace', uid: 'a' },
  ],
  ['a deleted VPC does not wait for a leftover namespace', deleted, terminating, { do: 'nothing' }],
  ['a deleted VPC needs nothing', deleted, null, { do: 'nothing' }],
]

test.each(cases)('the next step of a VPC is decided: %s', (...[, row, observed, step]) => {
  expect(nextStep(row, observed, null)).toEqual(step)
})

const router: ObservedRouter = { uid: 'r', isOwned: true, isDeleting: false }

test.each<[because: string, row: DesiredVpc, router: ObservedRouter, step: unknown]>([
  [
    'it stays as long as the VPC has a network',
    { ...deleting, networksLeft: 1 },
    router,
    { do: 'wait' },
  ],
  ['it is deleted after the last network', deleting, router, { do: 'deleteRouter', uid: 'r' }],
  ['a terminating router is waited for', deleting, { ...router, isDeleting: true }, { do: 'wait' }],
  [
    'a router of another owner stays',
    deleting,
    { ...router, isOwned: false },
    { do: 'deleteNamespace', uid: 'a' },
  ],
  [
    'a router created after the deletion is removed',
    deleted,
    router,
    { do: 'deleteRouter', uid: 'r' },
  ],
])('the router of a VPC is removed in order: %s', (...[, row, observed, step]) => {
  expect(nextStep(row, there, observed)).toEqual(step)
})
