import { expect, test } from 'vitest'
import { aSeenInstance, aSeenVm } from '../../../../test/support/cluster/observed-vm.ts'
import { type Explanation } from '../vm/explain.ts'
import { type SeenVm } from '../vm/seen.ts'
import { type VmState } from '../vm/state.ts'
import { eventOf } from './event-of.ts'
import { type VmEventCode } from './vm-event.ts'
import { textMessage } from '../../engine/model/message.ts'

const run = { runUid: 'run-1', host: 'node-3', explanation: null }
const over = { runUid: null, host: null, explanation: null }
const on = { wantedPower: 'on' } as const
const instance = aSeenInstance()
const because: Explanation = {
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
  tells: VmEventCode | null
  because: string
  known?: Partial<Parameters<typeof eventOf>[0]>
  found?: Partial<Parameters<typeof eventOf>[1]>
  seen?: Partial<SeenVm>
  isAsked?: boolean
}

const cases: readonly Case[] = [
  { from: 'Running', to: 'Running', tells: null, because: 'it is as it was' },
  { from: 'Starting', to: 'Running', tells: 'running', because: 'it came to another state' },
  {
    from: 'Running',
    to: 'Stopping',
    isAsked: true,
    tells: 'stopping',
    because: 'that was asked for',
  },
  {
    from: 'Running',
    to: 'Stopped',
    known: { wantedPower: 'off' },
    found: over,
    tells: 'stopped',
    because: 'it is to be off',
  },
  {
    from: 'Stopping',
    to: 'Stopped',
    found: over,
    tells: 'stopped',
    because: 'why it went down was told when it began to',
  },
  {
    from: 'Running',
    to: 'Stopped',
    found: over,
    tells: 'shut_down',
    because: 'only a guest that ends well stays down',
  },
  {
    from: 'Running',
    to: 'Stopping',
    seen: { instance: { ...instance, phase: 'Succeeded' } },
    tells: 'shut_down',
    because: 'its guest has ended, and the rest follows',
  },
  {
    from: 'Running',
    to: 'Error',
    seen: { instance: { ...instance, phase: 'Failed' } },
    tells: 'crashed',
    because: 'its guest has not ended well',
  },
  { from: 'Running', to: 'Stopping', tells: 'went_down', because: 'something takes it away' },
  {
    from: 'Paused',
    to: 'Starting',
    found: over,
    tells: 'went_down',
    because: 'nothing runs any more',
  },
  {
    from: 'Running',
    to: 'Stopping',
    seen: { queued: ['stop'] },
    tells: 'stopped_outside',
    because: 'the cluster was asked for it',
  },
  {
    from: 'Running',
    to: 'Stopping',
    seen: { runStrategy: 'Halted' },
    tells: 'stopped_outside',
    because: 'the cluster was told to',
  },
  {
    from: 'Running',
    to: 'Restarting',
    seen: { queued: ['stop', 'start'] },
    tells: 'restarted',
    because: 'a start waits in line',
  },
  {
    from: 'Running',
    to: 'Running',
    found: { runUid: 'run-2' },
    tells: 'restarted',
    because: 'it is another run',
  },
  {
    from: 'Running',
    to: 'Running',
    found: { runUid: 'run-2' },
    isAsked: true,
    tells: null,
    because: 'another run was asked for',
  },
  {
    from: 'Stopped',
    to: 'Stopping',
    known: { ...over, wantedPower: 'off' },
    tells: 'started_outside',
    because: 'it is to be off and runs',
  },
  {
    from: 'Stopped',
    to: 'Starting',
    known: over,
    isAsked: true,
    tells: 'starting',
    because: 'that was asked for',
  },
  {
    from: 'Running',
    to: 'Unknown',
    tells: 'unknown',
    because: 'nobody knows whether it went down',
  },
  { from: 'Unknown', to: 'Running', tells: 'running', because: 'it was only out of sight' },
  {
    from: 'Unknown',
    to: 'Running',
    found: { runUid: 'run-2' },
    tells: 'restarted',
    because: 'the one that was there is given up',
  },
  {
    from: 'Unknown',
    to: 'Stopping',
    tells: 'stopping',
    because: 'nobody knows what became of it meanwhile',
  },
  { from: 'Running', to: 'Lost', found: over, tells: 'lost', because: 'it is not only down' },
  { from: 'Running', to: 'Deleting', tells: 'deleting', because: 'it does not only go down' },
  {
    from: 'Migrating',
    to: 'Running',
    found: { host: 'node-4' },
    tells: 'moved',
    because: 'the run is elsewhere',
  },
  {
    from: 'Running',
    to: 'Running',
    found: { host: 'node-4' },
    isAsked: true,
    tells: 'moved',
    because: 'likewise, and quickly',
  },
  {
    from: 'Running',
    to: 'Running',
    known: { host: null },
    tells: null,
    because: 'where it was before, nobody had looked',
  },
  {
    from: 'Paused',
    to: 'Paused',
    found: { explanation: because },
    tells: 'noticed',
    because: 'there is something to explain',
  },
  {
    from: 'Paused',
    to: 'Paused',
    known: { explanation: because },
    found: { explanation: because },
    tells: null,
    because: 'it was told',
  },
  {
    from: 'Paused',
    to: 'Paused',
    known: { explanation: because },
    tells: null,
    because: 'that all is well again is no event',
  },
]

test.each(cases)(
  'from $from to $to tells $tells: $because',
  ({ from, to, tells, known, found, seen, isAsked = false }) => {
    const look = { seen: aSeenVm({ instance, ...seen }), isAsked }
    const event = eventOf(
      { ...on, ...run, state: from, ...known },
      { ...run, state: to, ...found },
      look,
    )
    expect(event?.code ?? null).toBe(tells)
    if (event)
      expect(event).toMatchObject({
        fromState: from,
        toState: to,
        explanation: found?.explanation ?? null,
      })
  },
)
