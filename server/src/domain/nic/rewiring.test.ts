import { expect, test } from 'vitest'
import { settledRewirings } from './rewiring.ts'

const nic = (ordinal: number, more: object = {}) => ({
  ordinal,
  isLeaving: false,
  waitsFor: null,
  ...more,
})
const inGuest = (...ordinals: number[]) =>
  ordinals.map((ordinal) => ({ name: `nic${ordinal}`, ip: null, mac: null, inGuest: true }))
const beside = { name: 'nic1', ip: null, mac: null, inGuest: false }
const came = { kind: 'attach_network', isDone: true }
const left = { kind: 'detach_network', isDone: true }
const not = { isDone: false }

test.each([
  { because: 'the guest has it', nics: [nic(1)], seen: inGuest(1), settled: [came, left] },
  { because: 'only its pod has it', nics: [nic(1)], seen: [beside], settled: [left] },
  {
    because: 'another one is still to come',
    nics: [nic(1), nic(2)],
    seen: inGuest(1),
    settled: [left],
  },
  {
    because: 'it was not to come while the guest runs',
    nics: [nic(1, { waitsFor: 'disks' })],
    seen: [],
    settled: [{ ...came, ...not }, left],
  },
  {
    because: 'time is over',
    nics: [nic(1)],
    seen: [],
    isLive: false,
    settled: [{ ...came, ...not }, left],
  },
  {
    because: 'the run is over',
    nics: [nic(1)],
    seen: null,
    state: 'Stopped',
    settled: [
      { ...came, ...not },
      { ...left, ...not },
    ],
  },
  {
    because: 'the guest has let go',
    nics: [nic(1, { isLeaving: true })],
    seen: [beside],
    settled: [came, left],
  },
  {
    because: 'the guest has not',
    nics: [nic(1, { isLeaving: true })],
    seen: inGuest(1),
    settled: [came],
  },
  { because: 'it starts anew', nics: [nic(1)], seen: [], state: 'Restarting', settled: [left] },
] as const)('what was asked of NICs is over: $because', ({ nics, seen, settled, ...more }) => {
  const { isLive, state } = { isLive: true, state: 'Running' as const, ...more }
  expect(settledRewirings({ nics, isLive }, { state, seenNics: seen && [...seen] })).toEqual(
    settled,
  )
})
