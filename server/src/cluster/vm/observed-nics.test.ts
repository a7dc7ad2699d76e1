import { expect, test } from 'vitest'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { observedNics } from './observed-nics.ts'

const vmi = (interfaces: object[], reported: object[], phase = 'Running'): ApiObject => ({
  metadata: { name: 'db-1', uid: 'uid-1', resourceVersion: '1' },
  spec: { domain: { devices: { interfaces } } },
  status: { phase, interfaces: reported },
})
const pod = { name: 'nic0', masquerade: {} }
const lan = { name: 'nic1', bridge: {}, macAddress: '02:00:00:00:00:0b' }
const inGuest = {
  name: 'nic1',
  mac: '02:00:00:00:00:0b',
  infoSource: 'domain, guest-agent, multus-status',
}
const inPod = { name: 'nic1', infoSource: 'multus-status' }
const podReported = { name: 'nic0', ipAddress: '10.244.0.7', infoSource: 'domain, guest-agent' }

test.each([
  {
    because: 'the guest has all NICs',
    interfaces: [pod, lan],
    reported: [podReported, inGuest],
    there: [true, true],
    pending: false,
  },
  {
    because: 'one is not reported yet',
    interfaces: [pod, lan],
    reported: [podReported],
    there: [true, false],
    pending: true,
  },
  {
    because: 'one is reported by Multus only',
    interfaces: [pod, lan],
    reported: [podReported, inPod],
    there: [true, false],
    pending: true,
  },
  {
    because: 'one should be released',
    interfaces: [pod, { ...lan, state: 'absent' }],
    reported: [podReported, inGuest],
    there: [true, true],
    pending: true,
  },
  {
    because: 'the guest has released one',
    interfaces: [pod, { ...lan, state: 'absent' }],
    reported: [podReported, inPod],
    there: [true, false],
    pending: false,
  },
  {
    because: 'the guest created one itself',
    interfaces: [pod],
    reported: [podReported, { mac: '02:42:00:00:00:01' }],
    there: [true],
    pending: false,
  },
  {
    because: 'the VMI does not run yet',
    interfaces: [pod, lan],
    reported: [],
    phase: 'Scheduling',
    there: [],
    pending: false,
  },
])(
  'a VMI reports its NICs and whether changes are pending: $because',
  ({ interfaces, reported, phase, there, pending }) => {
    const { addresses, nicsPending } = observedNics(vmi(interfaces, reported, phase))
    expect([addresses.map((each) => each.inGuest), nicsPending]).toEqual([there, pending])
  },
)
