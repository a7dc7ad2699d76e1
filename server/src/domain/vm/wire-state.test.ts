import { expect, test } from 'vitest'
import { casesReportedAs, wireStateOf, wireStates } from './wire-state.ts'
import { vmStates } from './state.ts'

const vm = { state: 'Running', deleting: false, wantedPower: 'on', startRequested: false } as const

test.each([
  { of: { state: 'Pending' }, is: 'Starting', because: 'older clients do not know Pending' },
  { of: { state: 'Provisioning' }, is: 'Starting', because: 'its disks are on the way' },
  { of: { state: 'Running' }, is: 'Running', because: 'it runs as desired' },
  { of: { state: 'Paused' }, is: 'Running', because: 'it is powered on' },
  {
    of: { state: 'Running', wantedPower: 'off' },
    is: 'Stopping',
    because: 'a stop is accepted, and clients poll only VMs that change',
  },
  {
    of: { state: 'Starting', wantedPower: 'off' },
    is: 'Stopping',
    because: 'the stop was requested during the start',
  },
  { of: { state: 'Stopped', wantedPower: 'off' }, is: 'Stopped', because: 'it is off as desired' },
  {
    of: { state: 'Stopped', startRequested: true },
    is: 'Starting',
    because: 'a start is accepted',
  },
  {
    of: { state: 'Stopped' },
    is: 'Stopped',
    because: 'its guest shut itself down, and nothing starts it',
  },
  {
    of: { state: 'Error', wantedPower: 'off' },
    is: 'Error',
    because: 'a stop does not mend a failed VM',
  },
  { of: { deleting: true }, is: 'Stopping', because: 'deletion was requested' },
] as const)('a VM with $of is reported as $is: $because', ({ of, is }) => {
  expect(wireStateOf({ ...vm, ...of })).toBe(is)
})

test('the database counts each VM in the state that the API reports', () => {
  const counted = wireStates.map((state) => casesReportedAs(state))
  expect(counted.filter((cases) => cases.length === 0)).toEqual([])
  expect(new Set(counted.flat()).size).toBe(vmStates.length * 4)
  expect(casesReportedAs('Starting')).toContain('Stopped on true')
  expect(casesReportedAs('Stopped')).toEqual([
    'Stopped on false',
    'Stopped off true',
    'Stopped off false',
  ])
})
