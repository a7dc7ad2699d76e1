import { expect, test } from 'vitest'
import { type NicRow } from './nic.ts'
import { nicsFrom } from './nics-from.ts'

const row: NicRow = {
  ...{ id: 'nic-1', vmId: 'vm-1', ordinal: 1, kind: 'private', mac: '02:00:00:00:00:02', address: '10.0.1.2' },
  ...{
    networkId: 'net-1',
    networkName: 'web',
    vpcId: 'vpc-1',
    driver: null,
    gateway: '10.0.1.1',
    attachmentNamespace: 'vpc-1',
    attachmentName: 'net-1',
    isLeaving: false,
  },
}

test.each([
  { because: 'nothing runs', seen: [], state: 'waiting', seenAddress: null },
  { because: 'the guest has only others', seen: [{ name: 'nic0', ip: '10.2.3.4', mac: null }], state: 'waiting', seenAddress: null },
  { because: 'nobody has told its address yet', seen: [{ name: 'nic1', ip: null, mac: null }], state: 'connected', seenAddress: null },
  { because: 'the guest says so', seen: [{ name: 'nic1', ip: '10.0.1.9', mac: null }], state: 'connected', seenAddress: '10.0.1.9' },
])('a NIC is $state, seen at $seenAddress, when $because', ({ seen, state, seenAddress }) => {
  const pod: NicRow = { ...row, ...{ ordinal: 0, kind: 'pod', address: null, networkId: null } }
  const [, nic] = nicsFrom([pod, row], seen)
  expect(nic).toMatchObject({ name: 'nic1', state, seenAddress, address: '10.0.1.2', isPrimary: false })
})

test('a guest leaves its networks by its first NIC, or by the public one where it has that', () => {
  const primaries = (...kinds: NicRow['kind'][]): string[] =>
    nicsFrom(
      kinds.map((kind, ordinal) => ({ ...row, kind, ordinal })),
      [],
    ).flatMap(({ name, isPrimary }) => (isPrimary ? [name] : []))
  expect(primaries('pod', 'private')).toEqual(['nic0'])
  expect(primaries('private')).toEqual(['nic0'])
  expect(primaries('pod', 'public', 'private')).toEqual(['nic1'])
})
