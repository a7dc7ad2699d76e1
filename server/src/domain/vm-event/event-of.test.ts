import { expect, test } from 'vitest'
import { anObservedVmi, anObservedVm } from '../../../../test/support/cluster/observed-vm.ts'
import { type Explanation } from '../vm/explain.ts'
import { type ObservedVm } from '../vm/observed.ts'
import { type VmState } from '../vm/state.ts'
import { eventOf } from './event-of.ts'
import { type VmEventCode } from './vm-event.ts'
import { textMessage } from '../../engine/model/message.ts'

const running = { vmiUid: 'run-1', host: 'node-3', explanation: null }
const stopped = { vmiUid: null, host: null, explanation: null }
const on = { wantedPower: 'on' } as const
const instance = anObservedVmi()
const storageFull: Explanation = {
  code: 'storage_full',
  summary: textMessage(''),
  since: null,
  cause: textMessage(''),
  nextStep: textMessage(''),
  whoCanFix: 'operator',
}

interface Case {
  from: VmState
  to: VmState
  event: VmEventCode | null
  because: string
  recorded?: Partial<Parameters<typeof eventOf>[0]>
  current?: Partial<Parameters<typeof eventOf>[1]>
  observed?: Partial<ObservedVm>
  isRequested?: boolean
}

const cases: readonly Case[] = [
  { from: 'Running', to: 'Running', event: null, because: 'nothing changed' },
  { from: 'Starting', to: 'Running', event: 'running', because: 'the state changed' },
  {
    from: 'Running',
    to: 'Stopping',
    isRequested: true,
    event: 'stopping',
    because: 'a user requested it',
  },
  {
    from: 'Running',
    to: 'Stopped',
    recorded: { wantedPower: 'off' },
    current: stopped,
    event: 'stopped',
    because: 'the desired power is off',
  },
  {
    from: 'Stopping',
    to: 'Stopped',
    current: stopped,
    event: 'stopped',
    because: 'the reason was recorded when it began to stop',
  },
  {
    from: 'Running',
    to: 'Stopped',
    current: stopped,
    event: 'shut_down',
    because: 'only a guest that shut itself down stays off',
  },
  {
    from: 'Running',
    to: 'Stopping',
    observed: { vmi: { ...instance, phase: 'Succeeded' } },
    event: 'shut_down',
    because: 'the guest has shut itself down, and its pod ends',
  },
  {
    from: 'Running',
    to: 'Error',
    observed: { vmi: { ...instance, phase: 'Failed' } },
    event: 'crashed',
    because: 'the VMI has failed',
  },
  {
    from: 'Running',
    to: 'Stopping',
    event: 'went_down',
    because: 'the VMI is deleted without a request',
  },
  {
    from: 'Paused',
    to: 'Starting',
    current: stopped,
    event: 'went_down',
    because: 'the VMI is gone',
  },
  {
    from: 'Running',
    to: 'Stopping',
    observed: { queued: ['stop'] },
    event: 'stopped_outside',
    because: 'a stop request is queued in the cluster',
  },
  {
    from: 'Running',
    to: 'Stopping',
    observed: { runStrategy: 'Halted' },
    event: 'stopped_outside',
    because: 'the run strategy was changed in the cluster',
  },
  {
    from: 'Running',
    to: 'Restarting',
    observed: { queued: ['stop', 'start'] },
    event: 'restarted',
    because: 'a start request is queued',
  },
  {
    from: 'Running',
    to: 'Running',
    current: { vmiUid: 'run-2' },
    event: 'restarted',
    because: 'there is another VMI',
  },
  {
    from: 'Running',
    to: 'Running',
    current: { vmiUid: 'run-2' },
    isRequested: true,
    event: null,
    because: 'a restart was requested',
  },
  {
    from: 'Stopped',
    to: 'Stopping',
    recorded: { ...stopped, wantedPower: 'off' },
    event: 'started_outside',
    because: 'the VM runs although the desired power is off',
  },
  {
    from: 'Stopped',
    to: 'Starting',
    recorded: stopped,
    isRequested: true,
    event: 'starting',
    because: 'a user requested it',
  },
  {
    from: 'Running',
    to: 'Unknown',
    event: 'unknown',
    because: 'the node does not answer',
  },
  { from: 'Unknown', to: 'Running', event: 'running', because: 'the same VMI is observed again' },
  {
    from: 'Unknown',
    to: 'Running',
    current: { vmiUid: 'run-2' },
    event: 'restarted',
    because: 'the old VMI was given up',
  },
  {
    from: 'Unknown',
    to: 'Stopping',
    event: 'stopping',
    because: 'the cause is not known after an Unknown state',
  },
  {
    from: 'Running',
    to: 'Lost',
    current: stopped,
    event: 'lost',
    because: 'the VM object is gone',
  },
  { from: 'Running', to: 'Deleting', event: 'deleting', because: 'the VM is being deleted' },
  {
    from: 'Migrating',
    to: 'Running',
    current: { host: 'node-4' },
    event: 'moved',
    because: 'the VMI is on another node',
  },
  {
    from: 'Running',
    to: 'Running',
    current: { host: 'node-4' },
    isRequested: true,
    event: 'moved',
    because: 'the VMI moved between two observations',
  },
  {
    from: 'Running',
    to: 'Running',
    recorded: { host: null },
    event: null,
    because: 'the previous node is not recorded',
  },
  {
    from: 'Paused',
    to: 'Paused',
    current: { explanation: storageFull },
    event: 'noticed',
    because: 'there is a new explanation',
  },
  {
    from: 'Paused',
    to: 'Paused',
    recorded: { explanation: storageFull },
    current: { explanation: storageFull },
    event: null,
    because: 'the explanation was recorded before',
  },
  {
    from: 'Paused',
    to: 'Paused',
    recorded: { explanation: storageFull },
    event: null,
    because: 'the end of an explanation is not an event',
  },
]

test.each(cases)(
  'a change from $from to $to has the event $event: $because',
  ({ from, to, event: code, recorded, current, observed, isRequested = false }) => {
    const observation = {
      observed: anObservedVm({ vmi: instance, ...observed }),
      hasOpenOperation: isRequested,
    }
    const event = eventOf(
      { ...on, ...running, state: from, ...recorded },
      { ...running, state: to, ...current },
      observation,
    )
    expect(event?.code ?? null).toBe(code)
    if (event)
      expect(event).toMatchObject({
        fromState: from,
        toState: to,
        explanation: current?.explanation ?? null,
      })
  },
)
