import { describe, expect, test } from 'vitest'
import { anObservedVmi, anObservedVm } from '../../../../test/support/cluster/observed-vm.ts'
import { clusterWords } from '../../../../test/support/cluster/cluster-terms.ts'
import {
  type Explanation,
  type ExplanationCode,
  explain,
  explainObstacle,
  explanationCodes,
} from './explain.ts'
import { type ObservedDiskState, type ObservedReason, type ObservedVm } from './observed.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type DesiredVm, printableStatuses, stateOf } from './state.ts'

const on: DesiredVm = {
  wantedPower: 'on',
  deleteRequested: false,
  clusterUid: 'uid-1',
  dedicatedCpu: false,
  failure: null,
}
const because = (reason: string | null, message: string | null = null): ObservedReason => ({
  reason,
  message,
  since: '2026-01-02T03:04:05Z',
})
const starting = (
  change: Parameters<typeof anObservedVmi>[0],
  printableStatus = 'Starting',
): Partial<ObservedVm> => ({
  printableStatus,
  vmi: anObservedVmi({ phase: 'Scheduling', ...change }),
})
const failing = (state: ObservedDiskState, trouble: ObservedReason): Partial<ObservedVm> => ({
  printableStatus: 'DataVolumeError',
  disks: [{ name: 'root', volume: 'vol-1', state, progress: null, restarts: 3, trouble }],
})
const nodes = '0/3 nodes are available:'

interface Case {
  desired?: Parameters<typeof explain>[0]
  observed: Partial<ObservedVm> | null
  is: ExplanationCode | null
  mentions?: RegExp
  because: string
}

const conditions = { failure: null, restartRequired: null, manualRecovery: null }
const running = anObservedVmi({ phase: 'Running' })

const cases: readonly Case[] = [
  { observed: null, is: 'lost', because: 'the VM object is gone' },
  {
    desired: { ...on, clusterUid: null },
    observed: null,
    is: null,
    because: 'the VM is about to be created',
  },
  {
    desired: { ...on, clusterUid: null, failure: messageOf('operation.deadline') },
    observed: null,
    is: 'deploy_failed',
    because: 'its deploy failed before the VM object was created',
  },
  { observed: { uid: 'another' }, is: 'replaced', because: 'another VM has the name' },
  {
    observed: { isDeleting: true },
    is: 'deleted_outside',
    because: 'the deletion was not requested in Berth',
  },
  {
    desired: { ...on, deleteRequested: true },
    observed: { isDeleting: true, vmi: running },
    is: null,
    because: 'the deletion was requested',
  },
  {
    observed: { printableStatus: 'Running', vmi: { ...running, nodeLost: true } },
    is: 'host_lost',
    because: 'the node does not answer',
  },
  {
    observed: { printableStatus: 'Shiny' },
    is: 'unknown',
    because: 'the printable status is unknown',
  },
  {
    observed: { printableStatus: 'Running', vmi: running },
    is: null,
    because: 'a guest without an agent is fine',
  },
  {
    observed: starting(
      { unscheduled: because('Unschedulable', `${nodes} 3 Insufficient memory. no new claims`) },
      'ErrorUnschedulable',
    ),
    is: 'unschedulable',
    mentions: /memory/,
    because: 'nodes lack memory',
  },
  {
    observed: starting(
      { unscheduled: because('Unschedulable', `${nodes} 1 Insufficient cpu.`) },
      'ErrorUnschedulable',
    ),
    is: 'unschedulable',
    mentions: /CPU/,
    because: 'nodes lack CPU',
  },
  {
    observed: starting(
      { unscheduled: because('Unschedulable', `${nodes} 3 node(s) had untolerated taint {a: b}.`) },
      'ErrorUnschedulable',
    ),
    is: 'unschedulable',
    mentions: /closed/,
    because: 'nodes are closed',
  },
  ...[true, false].map((dedicatedCpu) => ({
    desired: { ...on, dedicatedCpu },
    observed: starting(
      {
        unscheduled: because(
          'Unschedulable',
          `${nodes} 3 node(s) didn't match Pod's node affinity/selector.`,
        ),
      },
      'ErrorUnschedulable',
    ),
    is: 'unschedulable' as const,
    mentions: dedicatedCpu ? /dedicated CPUs/ : /requirements of the VM\.$/,
    because: `nodes do not match a VM with ${dedicatedCpu ? 'dedicated' : 'shared'} CPUs`,
  })),
  {
    observed: starting({ notSynchronized: because('ImagePullBackOff', 'x') }, 'ImagePullBackOff'),
    is: 'image_unavailable',
    because: 'the image cannot be pulled',
  },
  {
    observed: starting(
      { notSynchronized: because('ErrImagePull', 'tls: failed to verify certificate: x509') },
      'ErrImagePull',
    ),
    is: 'image_unavailable',
    mentions: /prove/,
    because: 'the certificate of the registry is invalid',
  },
  {
    observed: starting({
      phase: 'Pending',
      notSynchronized: because(
        'FailedCreate',
        'exceeded quota: q, requested: requests.memory=1, used: x',
      ),
    }),
    is: 'quota_exceeded',
    mentions: /memory/,
    because: 'the quota for memory is exceeded',
  },
  {
    observed: starting(
      { notSynchronized: because('FailedPvcNotFound', 'PVC a/b does not exist') },
      'ErrorPvcNotFound',
    ),
    is: 'disk_missing',
    because: 'the claim of a volume is missing',
  },
  {
    observed: failing('missing', because('FailedPvcNotFound')),
    is: 'disk_missing',
    because: 'a disk is reported as missing',
  },
  {
    observed: failing(
      'failing',
      because('Error', 'Unable to connect to http data source: expected status code 200, got 404'),
    ),
    is: 'disk_failed',
    mentions: /no image/,
    because: 'an import retries without end',
  },
  {
    observed: failing('failing', because('ErrExceededQuota', 'x requested: requests.storage=9')),
    is: 'quota_exceeded',
    because: 'the quota for storage is exceeded',
  },
  {
    observed: { printableStatus: 'DataVolumeError' },
    is: 'disk_failed',
    because: 'only the printable status is known',
  },
  {
    observed: {
      printableStatus: 'CrashLoopBackOff',
      startFailures: { count: 3, retryAfter: null },
    },
    is: 'crash_loop',
    because: 'the start failed repeatedly',
  },
  {
    observed: { printableStatus: 'Running', vmi: { ...running, phase: 'Failed' } },
    is: 'crash_loop',
    because: 'the VMI failed once',
  },
  {
    observed: {
      conditions: { ...conditions, failure: because('FailedCreate', 'no memory requested') },
    },
    is: 'start_refused',
    because: 'the cluster refused the VMI',
  },
  {
    observed: {
      printableStatus: 'Paused',
      vmi: { ...running, paused: because('PausedIOError') },
    },
    is: 'storage_full',
    because: 'the guest could not write to its disk',
  },
  {
    observed: {
      printableStatus: 'Paused',
      vmi: { ...running, paused: because('PausedByUser') },
    },
    is: null,
    because: 'the owner paused the VM',
  },
  {
    observed: {
      printableStatus: 'Running',
      vmi: running,
      conditions: { ...conditions, restartRequired: because(null) },
    },
    is: 'restart_needed',
    because: 'a change waits for a restart',
  },
  {
    desired: { ...on, drift: [{ part: 'memory', desired: '1024', found: '2048' }] },
    observed: {
      printableStatus: 'Running',
      vmi: running,
      conditions: { ...conditions, restartRequired: because(null) },
    },
    is: 'changed_outside',
    mentions: /2048 MiB of memory instead of 1024/,
    because: 'another client changed the VM, which also asks for a restart',
  },
  {
    observed: {
      printableStatus: 'Running',
      vmi: running,
      conditions: { ...conditions, manualRecovery: because(null) },
    },
    is: 'recovery_needed',
    because: 'a volume migration was interrupted',
  },
]

const explained = ({
  desired = on,
  observed,
}: Pick<Case, 'desired' | 'observed'>): Explanation | null =>
  explain(desired, observed && anObservedVm(observed))

test.each(cases)('the explanation of a VM is $is: $because', ({ is, mentions = /\w/, ...vm }) => {
  const explanation = explained(vm)
  expect(explanation?.code ?? null).toBe(is)
  if (explanation) expect(String(explanation.cause)).toMatch(mentions)
})

test('a missing component or right is explained as a task of the operator', () => {
  const cause = messageOf('operation.component_missing', {
    reason: messageOf('capability.no_kubevirt'),
  })
  const explanation = explainObstacle(cause)
  expect(explanation).toMatchObject({ code: 'platform_incomplete', whoCanFix: 'operator' })
  expect(String(explanation.cause)).toMatch(/waits for the operator: KubeVirt is not installed/)
})

test('all explanation codes that follow from observations occur in the cases', () => {
  const observedCodes = explanationCodes.filter((code) => code !== 'platform_incomplete')
  expect([...new Set(cases.flatMap(({ is }) => is ?? []))].sort()).toEqual(observedCodes)
})

test('an explanation contains only sentences without terms of the cluster', () => {
  for (const { because: _because, ...vm } of cases) {
    const explanation = explained(vm)
    if (!explanation) continue
    const sentences = [explanation.summary, explanation.cause, explanation.nextStep].map(String)
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
    expect(sentences.join(' ')).not.toMatch(clusterWords)
  }
})

describe('explanations of all observed states', () => {
  const phases = [
    'Pending',
    'Scheduling',
    'Running',
    'Succeeded',
    'Failed',
    'Unknown',
    null,
    'FromTheFuture',
  ]
  const instances = [
    null,
    ...phases.flatMap((phase) => [
      anObservedVmi({ phase }),
      anObservedVmi({ phase, nodeLost: true }),
    ]),
  ]
  const desiredStates: DesiredVm[] = [
    on,
    { ...on, wantedPower: 'off' },
    { ...on, clusterUid: 'another' },
  ]
  const all = desiredStates.flatMap((desired) =>
    [...printableStatuses, null, 'FromTheFuture'].flatMap((printableStatus) =>
      instances.map((instance) => ({
        desired,
        observed: anObservedVm({ printableStatus, vmi: instance }),
      })),
    ),
  )

  test('a VM whose deploy failed has an explanation in every state that it stays in', () => {
    const failed = all.map(({ desired, observed }) => {
      const failure = messageOf('operation.deadline')
      return { desired: { ...desired, failure }, observed }
    })
    const stuck = failed.filter(({ desired, observed }) => stateOf(desired, observed) === 'Failed')
    expect(stuck.length).toBeGreaterThan(100)
    expect(stuck.filter(({ desired, observed }) => explain(desired, observed) === null)).toEqual([])
  })

  test('a VM in state Error, Unknown or Lost has an explanation', () => {
    const abnormal = all.filter(({ desired, observed }) =>
      ['Error', 'Unknown', 'Lost'].includes(stateOf(desired, observed)),
    )
    expect(abnormal.length).toBeGreaterThan(100)
    expect(abnormal.filter(({ desired, observed }) => explain(desired, observed) === null)).toEqual(
      [],
    )
  })

  test('a VM that is fine has no explanation', () => {
    const fine = all.filter(({ desired, observed }) =>
      ['Running', 'Stopped', 'Starting'].includes(stateOf(desired, observed)),
    )
    expect(
      fine.filter(
        ({ desired, observed }) => explain(desired, observed) !== null && !observed.vmi?.nodeLost,
      ),
    ).toEqual([])
  })
})
