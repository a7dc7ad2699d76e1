import { describe, expect, test } from 'vitest'
import { type ObservedDataVolume } from '../volume/data-volume.ts'
import {
  failureIn,
  importReasons,
  importFailureMessages,
  importFailureSentence,
  failureThresholds,
} from './import-failure.ts'

const notTrue = { isTrue: false, reason: '', message: '' }
const volume: ObservedDataVolume = {
  uid: 'u',
  rowId: 'r',
  isDeleting: false,
  phase: 'ImportInProgress',
  percent: null,
  restarts: 0,
  bound: notTrue,
  running: notTrue,
}
const withMessage = (message: string, restarts: number): ObservedDataVolume => ({
  ...volume,
  restarts,
  running: { isTrue: false, reason: 'Error', message },
})

describe('the last message of an importer', () => {
  test.each([
    [
      'not_found',
      'Unable to connect to http data source: expected status code 200, got 404. Status: 404 Not Found',
    ],
    [
      'not_found',
      'Unable to connect to http data source: expected status code 200, got 410. Status: 410 Gone',
    ],
    [
      'unreachable',
      'Unable to connect to http data source: expected status code 200, got 403. Status: 403 Forbidden',
    ],
    [
      'unreachable',
      'Unable to connect to http data source: expected status code 200, got 500. Status: 500 404',
    ],
    [
      'unreachable',
      'Unable to connect to http data source: Get "http://127.0.0.1:9/a.iso": connect ECONNREFUSED 127.0.0.1:9',
    ],
    [
      'unreachable',
      'Unable to connect to http data source: Get "https://x.example.com/": dial tcp: lookup x.example.com on 10.96.0.10:53: no such host',
    ],
    [
      'unreachable',
      'Unable to connect to http data source: Get "https://x.example.com/": dial tcp 10.0.0.1:443: i/o timeout',
    ],
    [
      'unreachable',
      'Unable to connect to http data source: Get "http://x/": getaddrinfo ENOTFOUND x',
    ],
    ['unreachable', 'Unable to process data: unexpected EOF'],
    ['unreachable', 'Unable to process data: aborted'],
    [
      'unreachable',
      'Unable to transfer source data to scratch space: read: connection reset by peer',
    ],
    [
      'unreachable',
      'Unable to connect to http data source: Get "https://tls.example.com/certificate.iso": connect ECONNREFUSED',
    ],
    [
      'tls',
      'Unable to connect to http data source: Get "https://x/": x509: certificate signed by unknown authority',
    ],
    [
      'tls',
      'Unable to connect to http data source: Get "https://x/": tls: failed to verify certificate: x509: certificate has expired',
    ],
    ['tls', 'Unable to connect to http data source: Get "https://x/": self-signed certificate'],
    [
      'tls',
      'Unable to connect to http data source: Get "https://x/": unable to verify the first certificate',
    ],
    [
      'tls',
      'Unable to connect to http data source: Get "https://x/": Hostname/IP does not match certificate\'s altnames',
    ],
    [
      'too_large',
      'Unable to process data: Virtual image size 5497558138880 is larger than the reported available storage 1013243824. A larger PVC is required.',
    ],
    ['no_space', 'Unable to process data: write /data/disk.img: no space left on device'],
    [
      'not_an_image',
      'Unable to process data: qemu-img: Could not open image: the qcow2 header is cut off',
    ],
    ['not_an_image', 'Unable to process data: page.html is not an image: the server sent a text'],
    [
      'not_an_image',
      'Unable to convert source data to target format: qemu-img: Unknown file format',
    ],
    ['timeout', 'an unknown message'],
  ] as const)('the message means %s: %s', (reason, message) => {
    expect(failureIn(withMessage(message, 9), 0)).toBe(reason)
  })

  test('a permanent failure is accepted after fewer restarts than a transient one', () => {
    const firstFailureAt = (message: string): number | undefined =>
      [0, 1, 2, 3, 4, 5, 6, 7].find(
        (restarts) => failureIn(withMessage(message, restarts), 0) !== null,
      )
    expect(firstFailureAt('got 404: expected status code 200, got 404')).toBe(
      failureThresholds.restarts.sure,
    )
    expect(firstFailureAt('Unable to connect to http data source: no such host')).toBe(
      failureThresholds.restarts.passing,
    )
    expect(firstFailureAt('hm')).toBe(failureThresholds.restarts.unknown)
  })
})

describe('an import', () => {
  test.each([
    {
      because: 'the importer runs',
      observed: { ...volume, running: { ...notTrue, isTrue: true } },
      waitedMs: 3_600_000,
      reason: null,
    },
    {
      because: 'the importer runs again',
      observed: {
        ...withMessage('expected status code 200, got 404', 9),
        running: { ...notTrue, isTrue: true },
      },
      waitedMs: 0,
      reason: null,
    },
    {
      because: 'the import has succeeded',
      observed: { ...withMessage('Import Complete', 9), phase: 'Succeeded' },
      waitedMs: 0,
      reason: null,
    },
    {
      because: 'the importer pod is being created',
      observed: { ...volume, running: { ...notTrue, reason: 'ContainerCreating' } },
      waitedMs: 3_600_000,
      reason: null,
    },
    {
      because: 'CDI reports the phase Failed',
      observed: { ...volume, phase: 'Failed' },
      waitedMs: 0,
      reason: 'not_an_image',
    },
    {
      because: 'the storage quota was exceeded a moment ago',
      observed: { ...volume, bound: { ...notTrue, reason: 'ErrExceededQuota' } },
      waitedMs: failureThresholds.claimMs - 1,
      reason: null,
    },
    {
      because: 'the storage quota stays exceeded',
      observed: { ...volume, bound: { ...notTrue, reason: 'ErrExceededQuota' } },
      waitedMs: failureThresholds.claimMs,
      reason: 'no_space',
    },
    {
      because: 'the storage class does not exist',
      observed: { ...volume, phase: '', bound: { ...notTrue, reason: 'ErrClaimNotValid' } },
      waitedMs: failureThresholds.claimMs,
      reason: 'no_space',
    },
    {
      because: 'the importer image cannot be pulled',
      observed: { ...volume, running: { ...notTrue, reason: 'ImagePullBackOff' } },
      waitedMs: failureThresholds.importerMs,
      reason: 'importer_missing',
    },
    {
      because: 'the importer image is pulled slowly',
      observed: { ...volume, running: { ...notTrue, reason: 'ErrImagePull' } },
      waitedMs: failureThresholds.importerMs - 1,
      reason: null,
    },
  ])('an import has the failure $reason when $because', ({ observed, waitedMs, reason }) => {
    expect(failureIn(observed, waitedMs)).toBe(reason)
  })

  test('the text of an import failure does not mention internals of the platform', () => {
    for (const reason of importReasons)
      for (const hasVolume of [true, false])
        expect(String(importFailureSentence(reason, hasVolume))).not.toMatch(
          /pvc|datavolume|pod|cdi|importer|namespace|kube|node|\d/i,
        )
  })

  test('an import is promised to end after its deadline only when it created its volume', () => {
    expect(String(importFailureSentence('timeout', true))).toContain('becomes ready')
    expect(String(importFailureSentence('timeout', false))).toMatch(/retry it\.$/)
    expect(importFailureSentence('lost', false)).toBe(importFailureMessages.lost.sentence)
  })
})
