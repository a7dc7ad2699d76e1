import { expect, test } from 'vitest'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Course, turnOf } from './migration-phase.ts'

const object = (kind: string, { status, ...metadata }: JsonMap): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', uid: 'm', ...metadata },
  status: status ?? {},
})

const course = (
  phase: string,
  { state = {}, pod = { phase: 'Running' }, ...more }: JsonMap,
): Course => ({
  migration: object('VirtualMachineInstanceMigration', { status: { phase }, ...more }),
  vmi: object('VirtualMachineInstance', { status: { phase: 'Running', migrationState: state } }),
  target:
    pod === null
      ? undefined
      : object('Pod', {
          status: { ...(pod as JsonMap), conditions: [{ type: 'Ready', status: 'True' }] },
        }),
  isEquipped: true,
  isTaken: false,
})

const ours = { migrationUid: 'm' }
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' }

test.each([
  { because: 'it is new', turn: course('', { pod: null }), to: 'Pending' },
  { because: 'its pod is there', turn: course('Pending', {}), to: 'Scheduling' },
  { because: 'its pod is ready', turn: course('Scheduling', {}), to: 'Scheduled' },
  {
    because: 'the instance was handed over',
    turn: course('Scheduled', { state: ours }),
    to: 'PreparingTarget',
  },
  {
    because: 'the target has an address',
    turn: course('PreparingTarget', { state: { ...ours, targetNodeAddress: 'a' } }),
    to: 'TargetReady',
  },
  {
    because: 'the copy began',
    turn: course('TargetReady', { state: { ...ours, startTimestamp: 't' } }),
    to: 'Running',
  },
  {
    because: 'the guest arrived',
    turn: course('Running', { state: { ...ours, completed: true } }),
    to: 'Succeeded',
  },
  { because: 'somebody cancelled it in time', turn: course('Scheduling', deleted), to: 'Failed' },
  { because: 'its pod is gone', turn: course('Scheduling', { pod: null }), to: 'Failed' },
  {
    because: 'its pod ended',
    turn: course('TargetReady', { state: ours, pod: { phase: 'Failed' } }),
    to: 'Failed',
  },
  {
    because: 'the node gave up',
    turn: course('Running', { state: { ...ours, failed: true, completed: true } }),
    to: 'Failed',
  },
  {
    because: 'another migration took over',
    turn: course('PreparingTarget', { state: { migrationUid: 'n' } }),
    to: 'Failed',
  },
])('a migration goes on to $to when $because', ({ turn, to }) => {
  expect(turnOf(turn)).toMatchObject({ to })
})

test('a migration that runs is not over when it is cancelled: the nodes have to stop it first', () => {
  expect(turnOf(course('Running', { ...deleted, state: ours }))).toEqual({ abort: true })
})

test('a guest that has arrived stays although its migration is deleted and its old pod is gone', () => {
  const { migration, vmi } = course('Running', { state: { ...ours, completed: true } })
  expect(turnOf({ migration, vmi, target: undefined, isEquipped: true, isTaken: false })).toEqual({
    to: 'Succeeded',
  })
})
