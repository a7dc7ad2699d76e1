import { expect, test } from 'vitest'
import { nicAttachment, nicDetachment } from './hotplug.ts'

const free = { attach: null, detach: null } as const
const running = {
  state: 'Running',
  migrationObstacle: null,
  driver: 'bridge-vlan',
  obstacles: free,
} as const

test.each([
  { because: 'nothing is in the way', context: {}, applies: 'while_running', waitsFor: null },
  {
    because: 'the VM is stopped',
    context: { state: 'Stopped', migrationObstacle: 'disks' },
    applies: 'at_once',
    waitsFor: null,
  },
  {
    because: 'the VM has a problem',
    context: { state: 'Error' },
    applies: 'next_start',
    waitsFor: 'not_running',
  },
  {
    because: 'the obstacles are unknown',
    context: { obstacles: null },
    applies: 'next_start',
    waitsFor: 'unknown',
  },
  {
    because: 'a disk prevents live migration',
    context: { migrationObstacle: 'disks' },
    applies: 'next_start',
    waitsFor: 'disks',
  },
  {
    because: 'the cluster has one node',
    context: { obstacles: { attach: 'one_host', detach: null } },
    applies: 'next_start',
    waitsFor: 'one_host',
  },
  {
    because: 'the driver assigns addresses at start',
    context: { driver: 'kube-ovn' },
    applies: 'next_start',
    waitsFor: 'network',
  },
] as const)('a NIC is attached $applies when $because', ({ context, applies, waitsFor }) => {
  expect(nicAttachment({ ...running, ...context })).toEqual({ applies, waitsFor })
})

test.each([
  { because: 'nothing is in the way', context: {}, applies: 'while_running', waitsFor: null },
  {
    because: 'VMs are not live-migrated',
    context: { obstacles: { attach: 'platform', detach: null } },
    applies: 'while_running',
    waitsFor: null,
  },
  {
    because: 'the VM is stopped',
    context: { state: 'Stopped' },
    applies: 'at_once',
    waitsFor: null,
  },
  {
    because: 'the platform cannot unplug NICs',
    context: { obstacles: { attach: 'platform', detach: 'platform' } },
    applies: 'next_start',
    waitsFor: 'platform',
  },
] as const)('a NIC is detached $applies when $because', ({ context, applies, waitsFor }) => {
  expect(nicDetachment({ ...running, ...context })).toEqual({ applies, waitsFor })
})
