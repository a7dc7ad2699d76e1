import { describe, expect, test } from 'vitest'
import { aSeenInstance, aSeenVm } from '../../../../test/support/cluster/observed-vm.ts'
import { type AskedMachine, type MachineStep, type SeenMachine, nextStep } from './next-step.ts'

const asked: AskedMachine = {
  rowId: 'vm-1',
  isLeaving: false,
  clusterUid: 'uid-1',
  generation: 3,
  appliedGeneration: 3,
  isToStart: false,
  isToEndAtOnce: false,
  runWish: null,
}
const stopped = aSeenVm()
const run = aSeenInstance()
const running = aSeenVm({ instance: run })
const paused = aSeenVm({
  instance: { ...run, paused: { reason: 'PausedByUser', message: null, since: null } },
})
const going = aSeenVm({ instance: { ...run, isDeleting: true } })
const over = aSeenVm({ instance: { ...run, phase: 'Succeeded' } })
const another = aSeenVm({ instance: { ...run, uid: 'run-2' } })
const queued = aSeenVm({ instance: run, queued: ['stop', 'start'] })
const strange = aSeenVm({ rowId: null })

const unmade = { clusterUid: null, appliedGeneration: 0 }
const wish = (verb: 'restart' | 'pause' | 'resume', forced = false): Partial<AskedMachine> => ({
  runWish: { wish: verb, runUid: 'run-1', forced },
})
const order = (name: Extract<MachineStep, { do: 'order' }>['order']) => ({
  do: 'order',
  order: name,
  uid: 'uid-1',
  runUid: 'run-1',
})
const observe = { do: 'observe' }
const powerOn = { do: 'powerOn', uid: 'uid-1' }

interface Case {
  because: string
  asked?: Partial<AskedMachine>
  seen: SeenMachine | null
  step: object
}

const decides = (cases: Case[]): void =>
  test.each(cases)('because $because', (row) => {
    expect(nextStep({ ...asked, ...row.asked }, row.seen)).toMatchObject(row.step)
  })

describe('the next step of a machine that is to be there', () => {
  decides([
    { because: 'nothing is there yet', asked: unmade, seen: null, step: { do: 'make' } },
    {
      because: 'an earlier run made it and died',
      asked: unmade,
      seen: stopped,
      step: { do: 'make' },
    },
    {
      because: 'what bears our name is on its way out',
      asked: unmade,
      seen: aSeenVm({ isDeleting: true }),
      step: { do: 'wait' },
    },
    {
      because: 'a stranger bears our name',
      asked: unmade,
      seen: strange,
      step: { do: 'fail', code: 'cluster_name_conflict' },
    },
    { because: 'somebody took it away', seen: null, step: observe },
    { because: 'somebody takes it away', seen: aSeenVm({ isDeleting: true }), step: observe },
    {
      because: 'somebody made another of the name',
      seen: aSeenVm({ uid: 'uid-2' }),
      step: observe,
    },
    {
      because: 'another one is not told what was asked of ours',
      asked: { generation: 4 },
      seen: aSeenVm({ uid: 'uid-2' }),
      step: observe,
    },
    {
      because: 'the cluster has not been told yet',
      asked: { generation: 4 },
      seen: running,
      step: { do: 'change' },
    },
    { because: 'all is as asked', seen: running, step: observe },
  ])
})

describe('the next step of a machine that is to start', () => {
  const isToStart = { isToStart: true }
  decides([
    { because: 'its guest shut itself down', asked: isToStart, seen: stopped, step: powerOn },
    { because: 'nobody has asked for it', seen: stopped, step: observe },
    { because: 'it runs', asked: isToStart, seen: running, step: observe },
    {
      because: 'a start is in line',
      asked: isToStart,
      seen: aSeenVm({ queued: ['start'] }),
      step: observe,
    },
    {
      because: 'the cluster is about to',
      asked: isToStart,
      seen: aSeenVm({ followedRunStrategy: 'Halted' }),
      step: observe,
    },
    {
      because: 'the order is told first',
      asked: { ...isToStart, generation: 4 },
      seen: stopped,
      step: { do: 'change' },
    },
  ])
})

describe('the next step of a machine that is to be off at once', () => {
  const atOnce = { isToEndAtOnce: true }
  decides([
    { because: 'it runs', asked: atOnce, seen: running, step: order('forceStop') },
    {
      because: 'it takes its time to shut down',
      asked: atOnce,
      seen: going,
      step: order('forceStop'),
    },
    { because: 'a restart is in line', asked: atOnce, seen: queued, step: order('forceStop') },
    {
      because: 'the order was given',
      asked: atOnce,
      seen: aSeenVm({ instance: { ...run, graceSeconds: 0 } }),
      step: observe,
    },
    { because: 'its run is over', asked: atOnce, seen: over, step: observe },
    { because: 'it is off', asked: atOnce, seen: stopped, step: observe },
    {
      because: 'the cluster must know first that it is to stay off',
      asked: { ...atOnce, generation: 4 },
      seen: running,
      step: { do: 'change' },
    },
  ])
})

describe('the next step of a machine that is to restart', () => {
  const restart = { ...wish('restart'), isToStart: true }
  decides([
    {
      because: 'the run that was meant is there',
      asked: restart,
      seen: running,
      step: order('restart'),
    },
    { because: 'it stands still', asked: restart, seen: paused, step: order('restart') },
    {
      because: 'the guest is not to be asked',
      asked: wish('restart', true),
      seen: running,
      step: order('forceRestart'),
    },
    { because: 'the order is in line', asked: restart, seen: queued, step: observe },
    { because: 'the order is followed', asked: restart, seen: going, step: observe },
    {
      because: 'the run is over and its successor in line',
      asked: restart,
      seen: aSeenVm({ queued: ['start'] }),
      step: observe,
    },
    {
      because: 'the guest shut itself down before the order came',
      asked: restart,
      seen: stopped,
      step: powerOn,
    },
    { because: 'its last run is being cleared away', asked: restart, seen: over, step: observe },
    { because: 'it has happened', asked: restart, seen: another, step: observe },
    {
      because: 'a change of size comes with it',
      asked: { ...restart, generation: 4 },
      seen: running,
      step: { do: 'change' },
    },
  ])
})

describe('the next step of a machine that is to stand still, or to go on', () => {
  decides([
    { because: 'it runs', asked: wish('pause'), seen: running, step: order('pause') },
    { because: 'it stands still already', asked: wish('pause'), seen: paused, step: observe },
    { because: 'the run that was meant is over', asked: wish('pause'), seen: over, step: observe },
    { because: 'the run that was meant ends', asked: wish('pause'), seen: going, step: observe },
    { because: 'another run is there', asked: wish('pause'), seen: another, step: observe },
    { because: 'nothing runs', asked: wish('pause'), seen: stopped, step: observe },
    { because: 'it is to go on', asked: wish('resume'), seen: paused, step: order('resume') },
    { because: 'it goes on already', asked: wish('resume'), seen: running, step: observe },
  ])
})

describe('the next step of a machine that is to go', () => {
  const leaving = { isLeaving: true }
  decides([
    {
      because: 'it is there',
      asked: leaving,
      seen: running,
      step: { do: 'removeMachine', uid: 'uid-1' },
    },
    {
      because: 'nothing else matters any more',
      asked: { ...leaving, ...wish('restart'), generation: 9 },
      seen: running,
      step: { do: 'removeMachine' },
    },
    {
      because: 'it goes',
      asked: leaving,
      seen: aSeenVm({ isDeleting: true }),
      step: { do: 'wait' },
    },
    { because: 'it is gone', asked: leaving, seen: null, step: { do: 'removeParts' } },
    {
      because: 'what bears its name is not ours',
      asked: leaving,
      seen: strange,
      step: { do: 'removeParts' },
    },
    {
      because: 'it was never made',
      asked: { ...leaving, ...unmade },
      seen: null,
      step: { do: 'removeParts' },
    },
  ])
})
