import { describe, expect, test } from 'vitest'
import { aSeenInstance, aSeenVm } from '../../../../test/support/cluster/observed-vm.ts'
import { clusterWords } from '../../../../test/support/cluster/cluster-terms.ts'
import { type Explanation, explain, type ExplanationCode, explanationCodes } from './explain.ts'
import { type SeenDiskState, type SeenReason, type SeenVm } from './seen.ts'
import { type AskedVm, printableStatuses, stateOf } from './state.ts'

const on: AskedVm = { wantedPower: 'on', deleteRequested: false, clusterUid: 'uid-1' }
const because = (reason: string | null, message: string | null = null): SeenReason => ({
  reason,
  message,
  since: '2026-01-02T03:04:05Z',
})
const starting = (
  different: Parameters<typeof aSeenInstance>[0],
  printableStatus = 'Starting',
): Partial<SeenVm> => ({
  printableStatus,
  instance: aSeenInstance({ phase: 'Scheduling', ...different }),
})
const failing = (state: SeenDiskState, trouble: SeenReason): Partial<SeenVm> => ({
  printableStatus: 'DataVolumeError',
  disks: [{ name: 'root', volume: 'vol-1', state, progress: null, restarts: 3, trouble }],
})
const nodes = '0/3 nodes are available:'

interface Case {
  asked?: AskedVm
  seen: Partial<SeenVm> | null
  is: ExplanationCode | null
  says?: RegExp
  because: string
}

const conditions = { failure: null, restartRequired: null, manualRecovery: null }
const running = aSeenInstance({ phase: 'Running' })

const cases: readonly Case[] = [
  { seen: null, is: 'lost', because: 'it was there' },
  { asked: { ...on, clusterUid: null }, seen: null, is: null, because: 'it is about to be made' },
  { seen: { uid: 'another' }, is: 'replaced', because: 'somebody took the name' },
  { seen: { isDeleting: true }, is: 'deleted_outside', because: 'nobody asked here' },
  {
    asked: { ...on, deleteRequested: true },
    seen: { isDeleting: true, instance: running },
    is: null,
    because: 'it was asked for',
  },
  {
    seen: { printableStatus: 'Running', instance: { ...running, nodeLost: true } },
    is: 'host_lost',
    because: 'silence',
  },
  { seen: { printableStatus: 'Shiny' }, is: 'unknown', because: 'no word of ours' },
  {
    seen: { printableStatus: 'Running', instance: running },
    is: null,
    because: 'a guest without an agent is fine',
  },
  {
    seen: starting(
      { unscheduled: because('Unschedulable', `${nodes} 3 Insufficient memory. no new claims`) },
      'ErrorUnschedulable',
    ),
    is: 'unschedulable',
    says: /memory/,
    because: 'memory',
  },
  {
    seen: starting(
      { unscheduled: because('Unschedulable', `${nodes} 1 Insufficient cpu.`) },
      'ErrorUnschedulable',
    ),
    is: 'unschedulable',
    says: /CPU/,
    because: 'CPU',
  },
  {
    seen: starting(
      { unscheduled: because('Unschedulable', `${nodes} 3 node(s) had untolerated taint {a: b}.`) },
      'ErrorUnschedulable',
    ),
    is: 'unschedulable',
    says: /closed/,
    because: 'hosts closed',
  },
  {
    seen: starting({ notSynchronized: because('ImagePullBackOff', 'x') }, 'ImagePullBackOff'),
    is: 'image_unavailable',
    because: 'image',
  },
  {
    seen: starting(
      { notSynchronized: because('ErrImagePull', 'tls: failed to verify certificate: x509') },
      'ErrImagePull',
    ),
    is: 'image_unavailable',
    says: /prove/,
    because: 'a certificate',
  },
  {
    seen: starting({
      phase: 'Pending',
      notSynchronized: because(
        'FailedCreate',
        'exceeded quota: q, requested: requests.memory=1, used: x',
      ),
    }),
    is: 'quota_exceeded',
    says: /memory/,
    because: 'a quota',
  },
  {
    seen: starting(
      { notSynchronized: because('FailedPvcNotFound', 'PVC a/b does not exist') },
      'ErrorPvcNotFound',
    ),
    is: 'disk_missing',
    because: 'a volume is away',
  },
  {
    seen: failing('missing', because('FailedPvcNotFound')),
    is: 'disk_missing',
    because: 'a volume is away, and known',
  },
  {
    seen: failing(
      'failing',
      because('Error', 'Unable to connect to http data source: expected status code 200, got 404'),
    ),
    is: 'disk_failed',
    says: /no image at/,
    because: 'an import that tries for ever',
  },
  {
    seen: failing('failing', because('ErrExceededQuota', 'x requested: requests.storage=9')),
    is: 'quota_exceeded',
    because: 'storage',
  },
  {
    seen: { printableStatus: 'DataVolumeError' },
    is: 'disk_failed',
    because: 'only the summary is known',
  },
  {
    seen: { printableStatus: 'CrashLoopBackOff', startFailures: { count: 3, retryAfter: null } },
    is: 'crash_loop',
    because: 'again',
  },
  {
    seen: { printableStatus: 'Running', instance: { ...running, phase: 'Failed' } },
    is: 'crash_loop',
    because: 'it broke off once',
  },
  {
    seen: {
      conditions: { ...conditions, failure: because('FailedCreate', 'no memory requested') },
    },
    is: 'start_refused',
    because: 'refused',
  },
  {
    seen: { printableStatus: 'Paused', instance: { ...running, paused: because('PausedIOError') } },
    is: 'storage_full',
    because: 'the guest could not write',
  },
  {
    seen: { printableStatus: 'Paused', instance: { ...running, paused: because('PausedByUser') } },
    is: null,
    because: 'it was paused by its owner',
  },
  {
    seen: {
      printableStatus: 'Running',
      instance: running,
      conditions: { ...conditions, restartRequired: because(null) },
    },
    is: 'restart_needed',
    because: 'a change waits',
  },
  {
    seen: {
      printableStatus: 'Running',
      instance: running,
      conditions: { ...conditions, manualRecovery: because(null) },
    },
    is: 'recovery_needed',
    because: 'a move broke off',
  },
]

const explained = ({ asked = on, seen }: Pick<Case, 'asked' | 'seen'>): Explanation | null =>
  explain(asked, seen && aSeenVm(seen))

test.each(cases)('$is: $because', ({ is, says = /\w/, ...given }) => {
  const found = explained(given)
  expect(found?.code ?? null).toBe(is)
  if (found) expect(String(found.cause)).toMatch(says)
})

test('each code of the list occurs', () => {
  expect([...new Set(cases.flatMap(({ is }) => is ?? []))].sort()).toEqual([...explanationCodes])
})

test('no word of the cluster is in any of them, and each part is a sentence', () => {
  for (const { because: _why, ...given } of cases) {
    const found = explained(given)
    if (!found) continue
    const sentences = [found.summary, found.cause, found.nextStep].map(String)
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
    expect(sentences.join(' ')).not.toMatch(clusterWords)
  }
})

describe('whatever is seen', () => {
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
      aSeenInstance({ phase }),
      aSeenInstance({ phase, nodeLost: true }),
    ]),
  ]
  const asks: AskedVm[] = [on, { ...on, wantedPower: 'off' }, { ...on, clusterUid: 'another' }]
  const all = asks.flatMap((asked) =>
    [...printableStatuses, null, 'FromTheFuture'].flatMap((printableStatus) =>
      instances.map((instance) => ({ asked, seen: aSeenVm({ printableStatus, instance }) })),
    ),
  )

  test('what is wrong, unknown or lost is explained', () => {
    const needy = all.filter(({ asked, seen }) =>
      ['Error', 'Unknown', 'Lost'].includes(stateOf(asked, seen)),
    )
    expect(needy.length).toBeGreaterThan(100)
    expect(needy.filter(({ asked, seen }) => explain(asked, seen) === null)).toEqual([])
  })

  test('a VM that is fine has nothing to explain', () => {
    const fine = all.filter(({ asked, seen }) =>
      ['Running', 'Stopped', 'Starting'].includes(stateOf(asked, seen)),
    )
    expect(
      fine.filter(({ asked, seen }) => explain(asked, seen) !== null && !seen.instance?.nodeLost),
    ).toEqual([])
  })
})
