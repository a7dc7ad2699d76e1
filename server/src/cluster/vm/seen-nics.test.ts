import { expect, test } from 'vitest'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { seenNics } from './seen-nics.ts'

const run = (interfaces: object[], told: object[], phase = 'Running'): ApiObject => ({
  metadata: { name: 'db-1', uid: 'uid-1', resourceVersion: '1' },
  spec: { domain: { devices: { interfaces } } },
  status: { phase, interfaces: told },
})
const pod = { name: 'nic0', masquerade: {} }
const lan = { name: 'nic1', bridge: {}, macAddress: '02:00:00:00:00:0b' }
const inGuest = {
  name: 'nic1',
  mac: '02:00:00:00:00:0b',
  infoSource: 'domain, guest-agent, multus-status',
}
const inPod = { name: 'nic1', infoSource: 'multus-status' }
const podToldOf = { name: 'nic0', ipAddress: '10.244.0.7', infoSource: 'domain, guest-agent' }

test.each([
  {
    because: 'the guest has all',
    interfaces: [pod, lan],
    told: [podToldOf, inGuest],
    there: [true, true],
    pending: false,
  },
  {
    because: 'nobody knows of one yet',
    interfaces: [pod, lan],
    told: [podToldOf],
    there: [true, false],
    pending: true,
  },
  {
    because: 'only the pod has one',
    interfaces: [pod, lan],
    told: [podToldOf, inPod],
    there: [true, false],
    pending: true,
  },
  {
    because: 'one is to go',
    interfaces: [pod, { ...lan, state: 'absent' }],
    told: [podToldOf, inGuest],
    there: [true, true],
    pending: true,
  },
  {
    because: 'the guest has let go',
    interfaces: [pod, { ...lan, state: 'absent' }],
    told: [podToldOf, inPod],
    there: [true, false],
    pending: false,
  },
  {
    because: 'a guest made one itself',
    interfaces: [pod],
    told: [podToldOf, { mac: '02:42:00:00:00:01' }],
    there: [true],
    pending: false,
  },
  {
    because: 'it does not run yet',
    interfaces: [pod, lan],
    told: [],
    phase: 'Scheduling',
    there: [],
    pending: false,
  },
])(
  'the NICs of a run, and whether some are still to come or to go: $because',
  ({ interfaces, told, phase, there, pending }) => {
    const { addresses, nicsPending } = seenNics(run(interfaces, told, phase))
    expect([addresses.map((each) => each.inGuest), nicsPending]).toEqual([there, pending])
  },
)
