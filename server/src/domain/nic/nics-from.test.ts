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

const reported = (name: string, ip: string | null, inGuest = true) => ({
  name,
  ip,
  mac: null,
  inGuest,
})
const onlyInPod = reported('nic1', null, false)

test.each([
  { because: 'the VM does not run', observed: null, state: 'waiting', seenAddress: null },
  {
    because: 'the guest has only other NICs',
    observed: [reported('nic0', '10.2.3.4')],
    state: 'waiting',
    seenAddress: null,
    reason: 'did not succeed in time',
  },
  {
    because: 'its address is not reported yet',
    observed: [reported('nic1', null)],
    state: 'connected',
    seenAddress: null,
  },
  {
    because: 'the guest reports its address',
    observed: [reported('nic1', '10.0.1.9')],
    state: 'connected',
    seenAddress: '10.0.1.9',
  },
  {
    because: 'only the pod has it',
    observed: [onlyInPod],
    isLive: true,
    state: 'arriving',
    seenAddress: null,
  },
  {
    because: 'it was not attached in time',
    observed: [onlyInPod],
    state: 'waiting',
    seenAddress: null,
    reason: 'did not succeed in time',
  },
  {
    because: 'it could not be attached at runtime',
    observed: [onlyInPod],
    isLive: true,
    row: { waitsFor: 'disks' },
    state: 'waiting',
    reason: 'one of its disks',
  },
  {
    because: 'its detachment is in progress',
    observed: [reported('nic1', null)],
    isLive: true,
    row: { isLeaving: true },
    state: 'departing',
  },
  {
    because: 'it was not detached in time',
    observed: [reported('nic1', null)],
    row: { isLeaving: true },
    state: 'leaving',
    reason: 'in time',
  },
  {
    because: 'it is detached at the next stop',
    observed: [reported('nic1', null)],
    row: { isLeaving: true, waitsFor: 'platform' },
    state: 'leaving',
    reason: 'this platform',
  },
  {
    because: 'only the pod still has it',
    observed: [onlyInPod],
    isLive: true,
    row: { isLeaving: true },
    state: 'leaving',
    reason: 'has released the NIC',
  },
] as const)(
  'a NIC is $state with address $seenAddress when $because',
  ({ observed, state, ...more }) => {
    const {
      seenAddress = null,
      isLive = false,
      row: rowChange = {},
      reason = null,
    } = { seenAddress: null, isLive: false, row: {}, reason: null, ...more }
    const pod: NicRow = { ...row, ordinal: 0, kind: 'pod', address: null, networkId: null }
    const [, nic] = nicsFrom([pod, { ...row, ...rowChange }], { observed, isLive })
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
  },
)

test.each<[string, string[] | undefined, string]>([
  ['yes', ['fe80::1', '10.0.1.2'], 'the guest reports the assigned address'],
  ['no', [], 'the guest reports no address'],
  ['no', ['10.0.1.9'], 'the guest reports another address'],
  ['unknown', undefined, 'no guest agent reports the NIC'],
])(
  'a NIC is configured in the guest: %s, with %j, because %s',
  (configured, agentIps, _because) => {
    const match = { ...reported('nic1', null), ...(agentIps ? { agentIps } : {}) }
    const configuredIn = (change: Partial<NicRow>, observed = match): unknown =>
      nicsFrom([{ ...row, ...change }], { observed: [observed], isLive: false })[0]
        ?.configuredInGuest
    expect(configuredIn({})).toBe(configured)
    expect(configuredIn({ address: null })).toBeNull()
    expect(configuredIn({}, { ...match, inGuest: false })).toBeNull()
  },
)

test('the default route uses the first NIC, or the public one when the VM has it', () => {
  const primaries = (...kinds: NicRow['kind'][]): string[] =>
    nicsFrom(
      kinds.map((kind, ordinal) => ({ ...row, kind, ordinal })),
      { observed: null, isLive: false },
    ).flatMap(({ name, isPrimary }) => (isPrimary ? [name] : []))
  expect(primaries('pod', 'private')).toEqual(['nic0'])
  expect(primaries('private')).toEqual(['nic0'])
  expect(primaries('pod', 'public', 'private')).toEqual(['nic1'])
})
