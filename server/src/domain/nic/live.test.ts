import { expect, test } from 'vitest'
import { nicAttachment, nicDetachment } from './live.ts'

const free = { attach: null, detach: null } as const
const running = { state: 'Running', stays: null, driver: 'bridge-vlan', hindrances: free } as const

test.each([
  { because: 'nothing is in the way', around: {}, applies: 'while_running', waitsFor: null },
  {
    because: 'nothing runs',
    around: { state: 'Stopped', stays: 'disks' },
    applies: 'at_once',
    waitsFor: null,
  },
  {
    because: 'it has a problem',
    around: { state: 'Error' },
    applies: 'next_start',
    waitsFor: 'not_running',
  },
  {
    because: 'nobody knows yet',
    around: { hindrances: null },
    applies: 'next_start',
    waitsFor: 'unknown',
  },
  {
    because: 'a disk holds it',
    around: { stays: 'disks' },
    applies: 'next_start',
    waitsFor: 'disks',
  },
  {
    because: 'there is one host',
    around: { hindrances: { attach: 'one_host', detach: null } },
    applies: 'next_start',
    waitsFor: 'one_host',
  },
  {
    because: 'addresses are given at starts',
    around: { driver: 'kube-ovn' },
    applies: 'next_start',
    waitsFor: 'network',
  },
] as const)('a NIC comes $applies when $because', ({ around, applies, waitsFor }) => {
  expect(nicAttachment({ ...running, ...around })).toEqual({ applies, waitsFor })
})

test.each([
  { because: 'nothing is in the way', around: {}, applies: 'while_running', waitsFor: null },
  {
    because: 'guests are not moved',
    around: { hindrances: { attach: 'platform', detach: null } },
    applies: 'while_running',
    waitsFor: null,
  },
  { because: 'nothing runs', around: { state: 'Stopped' }, applies: 'at_once', waitsFor: null },
  {
    because: 'the platform cannot',
    around: { hindrances: { attach: 'platform', detach: 'platform' } },
    applies: 'next_start',
    waitsFor: 'platform',
  },
] as const)('a NIC goes $applies when $because', ({ around, applies, waitsFor }) => {
  expect(nicDetachment({ ...running, ...around })).toEqual({ applies, waitsFor })
})
