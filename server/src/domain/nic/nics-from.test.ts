import { expect, test } from 'vitest'
import { type NicRow } from './nic.ts'
import { nicsFrom } from './nics-from.ts'

const row: NicRow = {
  id: 'nic-1',
  vmId: 'vm-1',
  ordinal: 1,
  kind: 'private',
  mac: '02:00:00:00:00:02',
  address: '10.0.1.2',
  networkId: 'net-1',
  networkName: 'web',
  vpcId: 'vpc-1',
  driver: null,
  cidr: '10.0.1.0/24',
  gateway: '10.0.1.1',
  attachmentNamespace: 'vpc-1',
  attachmentName: 'net-1',
  isLeaving: false,
  waitsFor: null,
}

const told = (name: string, ip: string | null, inGuest = true) => ({ name, ip, mac: null, inGuest })
const beside = told('nic1', null, false)

test.each([
  { because: 'nothing runs', seen: null, state: 'waiting', seenAddress: null },
  {
    because: 'the guest has only others',
    seen: [told('nic0', '10.2.3.4')],
    state: 'waiting',
    seenAddress: null,
  },
  {
    because: 'nobody has told its address yet',
    seen: [told('nic1', null)],
    state: 'connected',
    seenAddress: null,
  },
  {
    because: 'the guest says so',
    seen: [told('nic1', '10.0.1.9')],
    state: 'connected',
    seenAddress: '10.0.1.9',
  },
  {
    because: 'its pod has it alone',
    seen: [beside],
    isLive: true,
    state: 'arriving',
    seenAddress: null,
  },
  {
    because: 'it has not come in time',
    seen: [beside],
    state: 'waiting',
    seenAddress: null,
    reason: 'could not be done in time',
  },
  {
    because: 'it never was to come so',
    seen: [beside],
    isLive: true,
    row: { waitsFor: 'disks' },
    state: 'waiting',
    reason: 'one of its disks',
  },
  {
    because: 'it is to go',
    seen: [told('nic1', null)],
    isLive: true,
    row: { isLeaving: true },
    state: 'departing',
  },
  {
    because: 'it has not gone in time',
    seen: [told('nic1', null)],
    row: { isLeaving: true },
    state: 'leaving',
    reason: 'in time',
  },
  {
    because: 'it is to go with the run',
    seen: [told('nic1', null)],
    row: { isLeaving: true, waitsFor: 'platform' },
    state: 'leaving',
    reason: 'this platform',
  },
  {
    because: 'only its pod has it still',
    seen: [beside],
    isLive: true,
    row: { isLeaving: true },
    state: 'leaving',
    reason: 'has let go of it',
  },
] as const)('a NIC is $state, seen at $seenAddress, when $because', ({ seen, state, ...more }) => {
  const {
    seenAddress = null,
    isLive = false,
    row: own = {},
    reason = null,
  } = { seenAddress: null, isLive: false, row: {}, reason: null, ...more }
  const pod: NicRow = { ...row, ordinal: 0, kind: 'pod', address: null, networkId: null }
  const [, nic] = nicsFrom([pod, { ...row, ...own }], { seen, isLive })
  expect(nic).toMatchObject({
    name: 'nic1',
    state,
    seenAddress,
    address: '10.0.1.2',
    isPrimary: false,
  })
  expect(nic?.stateReason?.toString() ?? null).toEqual(
    reason === null ? null : expect.stringContaining(reason),
  )
})

test('a guest leaves its networks by its first NIC, or by the public one where it has that', () => {
  const primaries = (...kinds: NicRow['kind'][]): string[] =>
    nicsFrom(
      kinds.map((kind, ordinal) => ({ ...row, kind, ordinal })),
      { seen: null, isLive: false },
    ).flatMap(({ name, isPrimary }) => (isPrimary ? [name] : []))
  expect(primaries('pod', 'private')).toEqual(['nic0'])
  expect(primaries('private')).toEqual(['nic0'])
  expect(primaries('pod', 'public', 'private')).toEqual(['nic1'])
})
