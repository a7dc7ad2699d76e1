import { expect, test } from 'vitest'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type MigrationContext, phaseChangeOf } from './migration-phase.ts'

const object = (kind: string, { status, ...metadata }: JsonMap): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', uid: 'm', ...metadata },
  status: status ?? {},
})

const contextIn = (
  phase: string,
  { state = {}, pod = { phase: 'Running' }, ...more }: JsonMap,
): MigrationContext => ({
  migration: object('VirtualMachineInstanceMigration', { status: { phase }, ...more }),
  vmi: object('VirtualMachineInstance', { status: { phase: 'Running', migrationState: state } }),
  target:
    pod === null
      ? undefined
      : object('Pod', {
          status: { ...(pod as JsonMap), conditions: [{ type: 'Ready', status: 'True' }] },
        }),
  areVolumesAttached: true,
  isVmiTaken: false,
})

const ownState = { migrationUid: 'm' }
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' }

test.each([
  { because: 'it was just created', context: contextIn('', { pod: null }), to: 'Pending' },
  { because: 'its target pod exists', context: contextIn('Pending', {}), to: 'Scheduling' },
  { because: 'its target pod is ready', context: contextIn('Scheduling', {}), to: 'Scheduled' },
  {
    because: 'the VMI was handed over to virt-handler',
    context: contextIn('Scheduled', { state: ownState }),
    to: 'PreparingTarget',
  },
  {
    because: 'the target has an address',
    context: contextIn('PreparingTarget', { state: { ...ownState, targetNodeAddress: 'a' } }),
    to: 'TargetReady',
  },
  {
    because: 'the copy has begun',
    context: contextIn('TargetReady', { state: { ...ownState, startTimestamp: 't' } }),
    to: 'Running',
  },
  {
    because: 'the guest runs on the target',
    context: contextIn('Running', { state: { ...ownState, completed: true } }),
    to: 'Succeeded',
  },
  {
    because: 'a user cancels it before the copy begins',
    context: contextIn('Scheduling', deleted),
    to: 'Failed',
  },
  {
    because: 'its target pod is gone',
    context: contextIn('Scheduling', { pod: null }),
    to: 'Failed',
  },
  {
    because: 'its target pod has failed',
    context: contextIn('TargetReady', { state: ownState, pod: { phase: 'Failed' } }),
    to: 'Failed',
  },
  {
    because: 'the source node reports a failure',
    context: contextIn('Running', { state: { ...ownState, failed: true, completed: true } }),
    to: 'Failed',
  },
  {
    because: 'another migration has taken over the VMI',
    context: contextIn('PreparingTarget', { state: { migrationUid: 'n' } }),
    to: 'Failed',
  },
])('a migration enters the phase $to when $because', ({ context, to }) => {
  expect(phaseChangeOf(context)).toMatchObject({ to })
})

test('a running migration stays open when it is cancelled until the nodes have stopped it', () => {
  expect(phaseChangeOf(contextIn('Running', { ...deleted, state: ownState }))).toEqual({
    abort: true,
  })
})

test('a completed migration succeeds although it was deleted and its source pod is gone', () => {
  const { migration, vmi } = contextIn('Running', { state: { ...ownState, completed: true } })
  expect(
    phaseChangeOf({
      migration,
      vmi,
      target: undefined,
      areVolumesAttached: true,
      isVmiTaken: false,
    }),
  ).toEqual({
    to: 'Succeeded',
  })
})
