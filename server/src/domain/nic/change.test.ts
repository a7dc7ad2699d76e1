import { expect, test } from 'vitest'
import { detachRefusal, leavingNic, nextOrdinal } from './change.ts'
import { type NicState } from './nic.ts'

const nic = (id: string, more: { networkId?: string | null; state?: NicState } = {}) => ({
  id,
  networkId: `net-${id}`,
  state: 'connected' as const,
  ...more,
})
const pod = nic('pod', { networkId: null })

test.each([
  { because: 'another NIC remains', nics: [pod, nic('one')], of: nic('one'), refused: false },
  {
    because: 'a NIC that waits for the next start counts as remaining',
    nics: [nic('one'), nic('two', { state: 'waiting' })],
    of: nic('one'),
    refused: false,
  },
  {
    because: 'a NIC on the cluster network could not be attached again',
    nics: [pod, nic('one')],
    of: pod,
    refused: true,
  },
  {
    because: 'the NIC is being detached already',
    nics: [pod, nic('one', { state: 'leaving' })],
    of: nic('one', { state: 'leaving' }),
    refused: true,
  },
  { because: 'a VM keeps at least one NIC', nics: [nic('one')], of: nic('one'), refused: true },
  {
    because: 'the other NIC is being detached too',
    nics: [nic('one'), nic('two', { state: 'leaving' })],
    of: nic('one'),
    refused: true,
  },
])('a detachment is allowed or refused: $because', ({ nics, of, refused }) => {
  expect(detachRefusal(nics, of) !== null).toBe(refused)
})

test('the refusal to attach a network whose NIC is being detached names the network', () => {
  const leaving = { ordinal: 0, networkId: 'net-one', isLeaving: true, kind: 'private' as const }
  const backend = { id: 'net-one', name: 'backend', isPublic: false }
  expect(() => nextOrdinal([leaving], backend)).toThrow(
    'The VM cannot be attached to network backend again while its NIC there is being detached',
  )
})

test('a VM can be in eight private networks and in the public one, as it can be created', () => {
  const nics = [0, 1, 2, 3, 4, 5, 6, 7].map((ordinal) => ({
    ordinal,
    networkId: `net-${ordinal}`,
    isLeaving: false,
    kind: 'private' as const,
  }))
  const network = { id: 'net-9', name: 'ninth' }
  expect(nextOrdinal(nics, { ...network, isPublic: true })).toBe(8)
  const withPublic = [...nics.slice(1), { ...nics[0]!, kind: 'public' as const }]
  expect(nextOrdinal(withPublic, { ...network, isPublic: false })).toBe(8)
  expect(() => nextOrdinal(nics, { ...network, isPublic: false })).toThrow(
    'at most 8 private networks',
  )
})

test('a detachment from a network without the VM says that the VM is not in it', () => {
  expect(() => leavingNic({ name: 'db-1', nics: [] }, 'net-1')).toThrow(
    'VM db-1 has no NIC in the network net-1',
  )
})
