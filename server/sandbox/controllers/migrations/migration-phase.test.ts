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
  { because: 'it was just created', turn: course('', { pod: null }), to: 'Pending' },
  { because: 'its target pod exists', turn: course('Pending', {}), to: 'Scheduling' },
  { because: 'its target pod is ready', turn: course('Scheduling', {}), to: 'Scheduled' },
  {
    because: 'the VMI was handed over to virt-handler',
    turn: course('Scheduled', { state: ours }),
    to: 'PreparingTarget',
  },
  {
    because: 'the target has an address',
    turn: course('PreparingTarget', { state: { ...ours, targetNodeAddress: 'a' } }),
    to: 'TargetReady',
  },
  {
    because: 'the copy has begun',
    turn: course('TargetReady', { state: { ...ours, startTimestamp: 't' } }),
    to: 'Running',
  },
  {
    because: 'the guest runs on the target',
    turn: course('Running', { state: { ...ours, completed: true } }),
    to: 'Succeeded',
  },
  {
    because: 'a user cancels it before the copy begins',
    turn: course('Scheduling', deleted),
    to: 'Failed',
  },
  { because: 'its target pod is gone', turn: course('Scheduling', { pod: null }), to: 'Failed' },
  {
    because: 'its target pod has failed',
    turn: course('TargetReady', { state: ours, pod: { phase: 'Failed' } }),
    to: 'Failed',
  },
  {
    because: 'the source node reports a failure',
    turn: course('Running', { state: { ...ours, failed: true, completed: true } }),
    to: 'Failed',
  },
  {
    because: 'another migration has taken over the VMI',
    turn: course('PreparingTarget', { state: { migrationUid: 'n' } }),
    to: 'Failed',
  },
])('a migration enters the phase $to when $because', ({ turn, to }) => {
  expect(turnOf(turn)).toMatchObject({ to })
})

test('a running migration stays open when it is cancelled until the nodes have stopped it', () => {
  expect(turnOf(course('Running', { ...deleted, state: ours }))).toEqual({ abort: true })
})

test('a completed migration succeeds although it was deleted and its source pod is gone', () => {
  const { migration, vmi } = course('Running', { state: { ...ours, completed: true } })
  expect(turnOf({ migration, vmi, target: undefined, isEquipped: true, isTaken: false })).toEqual({
    to: 'Succeeded',
  })
})
