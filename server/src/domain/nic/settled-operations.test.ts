import { expect, test } from 'vitest'
import { settledNicOperations } from './settled-operations.ts'

const nic = (ordinal: number, more: object = {}) => ({
  ordinal,
  isLeaving: false,
  waitsFor: null,
  ...more,
})
const inGuest = (...ordinals: number[]) =>
  ordinals.map((ordinal) => ({ name: `nic${ordinal}`, ip: null, mac: null, inGuest: true }))
const onlyInPod = { name: 'nic1', ip: null, mac: null, inGuest: false }
const attached = { kind: 'attach_network', isDone: true }
const detached = { kind: 'detach_network', isDone: true }
const notDone = { isDone: false }

test.each([
  {
    because: 'the guest has the NIC',
    nics: [nic(1)],
    observed: inGuest(1),
    settled: [attached, detached],
  },
  {
    because: 'only the pod has the NIC',
    nics: [nic(1)],
    observed: [onlyInPod],
    settled: [detached],
  },
  {
    because: 'another NIC is not attached yet',
    nics: [nic(1), nic(2)],
    observed: inGuest(1),
    settled: [detached],
  },
  {
    because: 'the NIC waits for the next start',
    nics: [nic(1, { waitsFor: 'disks' })],
    observed: [],
    settled: [{ ...attached, ...notDone }, detached],
  },
  {
    because: 'the time limit has passed',
    nics: [nic(1)],
    observed: [],
    isLive: false,
    settled: [{ ...attached, ...notDone }, detached],
  },
  {
    because: 'the VM has stopped',
    nics: [nic(1)],
    observed: null,
    state: 'Stopped',
    settled: [
      { ...attached, ...notDone },
      { ...detached, ...notDone },
    ],
  },
  {
    because: 'the guest has released the NIC',
    nics: [nic(1, { isLeaving: true })],
    observed: [onlyInPod],
    settled: [attached, detached],
  },
  {
    because: 'the guest has not released the NIC',
    nics: [nic(1, { isLeaving: true })],
    observed: inGuest(1),
    settled: [attached],
  },
  {
    because: 'the VM restarts',
    nics: [nic(1)],
    observed: [],
    state: 'Restarting',
    settled: [detached],
  },
] as const)('NIC operations are settled: $because', ({ nics, observed, settled, ...more }) => {
  const { isLive, state } = { isLive: true, state: 'Running' as const, ...more }
  expect(
    settledNicOperations({ nics, isLive }, { state, observedNics: observed && [...observed] }),
  ).toEqual(settled)
})
