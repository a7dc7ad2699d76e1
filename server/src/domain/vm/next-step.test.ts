import { describe, expect, test } from 'vitest'
import { anObservedVmi, anObservedVm } from '../../../../test/support/cluster/observed-vm.ts'
import { type DesiredVmObject, type VmStep, type ObservedVmObject, nextStep } from './next-step.ts'

const desired: DesiredVmObject = {
  rowId: 'vm-1',
  isLeaving: false,
  hasFailed: false,
  adoptedUid: null,
  clusterUid: 'uid-1',
  generation: 3,
  appliedGeneration: 3,
  mustStart: false,
  mustForceStop: false,
  vmiCommand: null,
}
const stopped = anObservedVm()
const vmi = anObservedVmi()
const running = anObservedVm({ vmi })
const paused = anObservedVm({
  vmi: { ...vmi, paused: { reason: 'PausedByUser', message: null, since: null } },
})
const shuttingDown = anObservedVm({ vmi: { ...vmi, isDeleting: true } })
const ended = anObservedVm({ vmi: { ...vmi, phase: 'Succeeded' } })
const another = anObservedVm({ vmi: { ...vmi, uid: 'run-2' } })
const queued = anObservedVm({ vmi, queued: ['stop', 'start'] })
const foreign = anObservedVm({ rowId: null })

const notCreated = { clusterUid: null, appliedGeneration: 0 }
const toAdopt = { ...notCreated, adoptedUid: 'uid-1' }
const command = (
  verb: 'restart' | 'pause' | 'resume',
  forced = false,
): Partial<DesiredVmObject> => ({
  vmiCommand: { command: verb, vmiUid: 'run-1', forced },
})
const order = (name: Extract<VmStep, { do: 'order' }>['order']) => ({
  do: 'order',
  order: name,
  uid: 'uid-1',
  vmiUid: 'run-1',
})
const observe = { do: 'observe' }
const powerOn = { do: 'powerOn', uid: 'uid-1' }

interface Case {
  because: string
  desired?: Partial<DesiredVmObject>
  observed: ObservedVmObject | null
  step: object
}

const decides = (cases: Case[]): void =>
  test.each(cases)('the next step of a VM is $step.do, because $because', (row) => {
    expect(nextStep({ ...desired, ...row.desired }, row.observed)).toMatchObject(row.step)
  })

describe('the next step of a VM that should exist', () => {
  decides([
    {
      because: 'the VM object does not exist yet',
      desired: notCreated,
      observed: null,
      step: { do: 'make' },
    },
    {
      because: 'a user adopts the VM object of another client',
      desired: toAdopt,
      observed: foreign,
      step: { do: 'adopt' },
    },
    {
      because: 'the VM object to adopt was replaced',
      desired: { ...toAdopt, adoptedUid: 'uid-0' },
      observed: foreign,
      step: { do: 'fail', code: 'conflict' },
    },
    {
      because: 'the VM object to adopt is gone',
      desired: toAdopt,
      observed: null,
      step: { do: 'fail', code: 'conflict' },
    },
    {
      because: 'its adoption has failed',
      desired: { ...toAdopt, hasFailed: true },
      observed: foreign,
      step: { do: 'observe' },
    },
    {
      because: 'a crashed reconcile has created it',
      desired: notCreated,
      observed: stopped,
      step: { do: 'make' },
    },
    {
      because: 'an old VM object with the name is being deleted',
      desired: notCreated,
      observed: anObservedVm({ isDeleting: true }),
      step: { do: 'wait' },
    },
    {
      because: 'another owner has a VM object with the name',
      desired: notCreated,
      observed: foreign,
      step: { do: 'fail', code: 'cluster_name_conflict' },
    },
    {
      because: 'its deploy failed and was not retried',
      desired: { ...notCreated, hasFailed: true },
      observed: null,
      step: observe,
    },
    {
      because: 'its deploy failed at the object of another owner',
      desired: { ...notCreated, hasFailed: true },
      observed: foreign,
      step: observe,
    },
    {
      because: 'a worker created it and recorded neither that nor its end',
      desired: { ...notCreated, hasFailed: true },
      observed: stopped,
      step: { do: 'make' },
    },
    {
      because: 'its deploy failed and it exists',
      desired: { hasFailed: true },
      observed: stopped,
      step: observe,
    },
    { because: 'the VM object was deleted by hand', observed: null, step: observe },
    {
      because: 'the VM object is being deleted by hand',
      observed: anObservedVm({ isDeleting: true }),
      step: observe,
    },
    {
      because: 'the VM object was recreated by hand',
      observed: anObservedVm({ uid: 'uid-2' }),
      step: observe,
    },
    {
      because: 'a recreated VM object gets no changes',
      desired: { generation: 4 },
      observed: anObservedVm({ uid: 'uid-2' }),
      step: observe,
    },
    {
      because: 'the cluster lacks a change',
      desired: { generation: 4 },
      observed: running,
      step: { do: 'change' },
    },
    { because: 'the VM matches its desired state', observed: running, step: observe },
  ])
})

describe('the next step of a VM that should start', () => {
  const isToStart = { mustStart: true }
  decides([
    { because: 'the guest shut itself down', desired: isToStart, observed: stopped, step: powerOn },
    { because: 'no start was requested', observed: stopped, step: observe },
    { because: 'the VM runs', desired: isToStart, observed: running, step: observe },
    {
      because: 'a start request is queued',
      desired: isToStart,
      observed: anObservedVm({ queued: ['start'] }),
      step: observe,
    },
    {
      because: 'the cluster is about to start it',
      desired: isToStart,
      observed: anObservedVm({ followedRunStrategy: 'Halted' }),
      step: observe,
    },
    {
      because: 'a change is applied before the start',
      desired: { ...isToStart, generation: 4 },
      observed: stopped,
      step: { do: 'change' },
    },
  ])
})

describe('the next step of a VM with a forced stop', () => {
  const atOnce = { mustForceStop: true }
  decides([
    { because: 'the VM runs', desired: atOnce, observed: running, step: order('forceStop') },
    {
      because: 'the guest is shutting down',
      desired: atOnce,
      observed: shuttingDown,
      step: order('forceStop'),
    },
    { because: 'a restart is queued', desired: atOnce, observed: queued, step: order('forceStop') },
    {
      because: 'the forced stop was sent',
      desired: atOnce,
      observed: anObservedVm({ vmi: { ...vmi, graceSeconds: 0 } }),
      step: observe,
    },
    { because: 'the VMI has ended', desired: atOnce, observed: ended, step: observe },
    { because: 'the VM is off', desired: atOnce, observed: stopped, step: observe },
    {
      because: 'the desired power is applied first',
      desired: { ...atOnce, generation: 4 },
      observed: running,
      step: { do: 'change' },
    },
  ])
})

describe('the next step of a VM that should restart', () => {
  const restart = { ...command('restart'), mustStart: true }
  decides([
    {
      because: 'the VMI of the command runs',
      desired: restart,
      observed: running,
      step: order('restart'),
    },
    { because: 'the VM is paused', desired: restart, observed: paused, step: order('restart') },
    {
      because: 'the restart is forced',
      desired: command('restart', true),
      observed: running,
      step: order('forceRestart'),
    },
    { because: 'the restart is queued', desired: restart, observed: queued, step: observe },
    {
      because: 'the VMI is being deleted for the restart',
      desired: restart,
      observed: shuttingDown,
      step: observe,
    },
    {
      because: 'the VMI has ended and a start request is queued',
      desired: restart,
      observed: anObservedVm({ queued: ['start'] }),
      step: observe,
    },
    {
      because: 'the guest shut itself down before the restart',
      desired: restart,
      observed: stopped,
      step: powerOn,
    },
    { because: 'the ended VMI is being deleted', desired: restart, observed: ended, step: observe },
    { because: 'another VMI runs already', desired: restart, observed: another, step: observe },
    {
      because: 'a change of size is applied first',
      desired: { ...restart, generation: 4 },
      observed: running,
      step: { do: 'change' },
    },
  ])
})

describe('the next step of a VM with a pause or resume', () => {
  decides([
    { because: 'the VM runs', desired: command('pause'), observed: running, step: order('pause') },
    {
      because: 'the VM is paused already',
      desired: command('pause'),
      observed: paused,
      step: observe,
    },
    {
      because: 'the VMI of the command has ended',
      desired: command('pause'),
      observed: ended,
      step: observe,
    },
    {
      because: 'the VMI of the command is ending',
      desired: command('pause'),
      observed: shuttingDown,
      step: observe,
    },
    { because: 'another VMI runs', desired: command('pause'), observed: another, step: observe },
    { because: 'the VM has no VMI', desired: command('pause'), observed: stopped, step: observe },
    {
      because: 'the VM is paused and should resume',
      desired: command('resume'),
      observed: paused,
      step: order('resume'),
    },
    {
      because: 'the VM runs already',
      desired: command('resume'),
      observed: running,
      step: observe,
    },
  ])
})

describe('the next step of a VM that is being deleted', () => {
  const leaving = { isLeaving: true }
  decides([
    {
      because: 'the VM object exists',
      desired: leaving,
      observed: running,
      step: { do: 'removeVm', uid: 'uid-1' },
    },
    {
      because: 'deletion has priority over all other changes',
      desired: { ...leaving, ...command('restart'), generation: 9 },
      observed: running,
      step: { do: 'removeVm' },
    },
    {
      because: 'the VM object is being deleted',
      desired: leaving,
      observed: anObservedVm({ isDeleting: true }),
      step: { do: 'wait' },
    },
    {
      because: 'the VM object is gone',
      desired: leaving,
      observed: null,
      step: { do: 'removeParts' },
    },
    {
      because: 'the VM object with the name has another owner',
      desired: leaving,
      observed: foreign,
      step: { do: 'removeParts' },
    },
    {
      because: 'the VM object was never created',
      desired: { ...leaving, ...notCreated },
      observed: null,
      step: { do: 'removeParts' },
    },
  ])
})
