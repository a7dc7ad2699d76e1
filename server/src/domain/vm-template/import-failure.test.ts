import { describe, expect, test } from 'vitest'
import { type SeenDataVolume } from '../volume/data-volume.ts'
import { failureIn, importReasons, importWords, patience } from './import-failure.ts'

const no = { isTrue: false, reason: '', message: '' }
const volume: SeenDataVolume = {
  uid: 'u',
  rowId: 'r',
  isDeleting: false,
  phase: 'ImportInProgress',
  percent: null,
  restarts: 0,
  bound: no,
  running: no,
}
const saying = (message: string, restarts: number): SeenDataVolume => ({
  ...volume,
  restarts,
  running: { isTrue: false, reason: 'Error', message },
})

describe('an importer’s last words', () => {
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
    ['timeout', 'something that nobody has said before'],
  ] as const)('mean %s: %s', (reason, message) => {
    expect(failureIn(saying(message, 9), 0)).toBe(reason)
  })

  test('are believed the sooner the less likely they are to pass', () => {
    const firstAt = (message: string): number | undefined =>
      [0, 1, 2, 3, 4, 5, 6, 7].find((restarts) => failureIn(saying(message, restarts), 0) !== null)
    expect(firstAt('got 404: expected status code 200, got 404')).toBe(patience.restarts.sure)
    expect(firstAt('Unable to connect to http data source: no such host')).toBe(
      patience.restarts.passing,
    )
    expect(firstAt('hm')).toBe(patience.restarts.unknown)
  })
})

describe('an import', () => {
  test.each([
    {
      because: 'it works',
      seen: { ...volume, running: { ...no, isTrue: true } },
      waitedMs: 3_600_000,
      reason: null,
    },
    {
      because: 'it works again',
      seen: { ...saying('expected status code 200, got 404', 9), running: { ...no, isTrue: true } },
      waitedMs: 0,
      reason: null,
    },
    {
      because: 'it is done',
      seen: { ...saying('Import Complete', 9), phase: 'Succeeded' },
      waitedMs: 0,
      reason: null,
    },
    {
      because: 'its importer is being made',
      seen: { ...volume, running: { ...no, reason: 'ContainerCreating' } },
      waitedMs: 3_600_000,
      reason: null,
    },
    {
      because: 'the cluster itself calls it failed',
      seen: { ...volume, phase: 'Failed' },
      waitedMs: 0,
      reason: 'not_an_image',
    },
    {
      because: 'the quota is full, but may not be for long',
      seen: { ...volume, bound: { ...no, reason: 'ErrExceededQuota' } },
      waitedMs: patience.claimMs - 1,
      reason: null,
    },
    {
      because: 'the quota is full',
      seen: { ...volume, bound: { ...no, reason: 'ErrExceededQuota' } },
      waitedMs: patience.claimMs,
      reason: 'no_space',
    },
    {
      because: 'the class is not there',
      seen: { ...volume, phase: '', bound: { ...no, reason: 'ErrClaimNotValid' } },
      waitedMs: patience.claimMs,
      reason: 'no_space',
    },
    {
      because: 'the importer cannot be pulled',
      seen: { ...volume, running: { ...no, reason: 'ImagePullBackOff' } },
      waitedMs: patience.importerMs,
      reason: 'importer_missing',
    },
    {
      because: 'the importer comes slowly',
      seen: { ...volume, running: { ...no, reason: 'ErrImagePull' } },
      waitedMs: patience.importerMs - 1,
      reason: null,
    },
  ])('counts as $reason when $because', ({ seen, waitedMs, reason }) => {
    expect(failureIn(seen, waitedMs)).toBe(reason)
  })

  test('is told in words that say nothing of the platform’s inside', () => {
    for (const reason of importReasons)
      expect(String(importWords[reason].sentence)).not.toMatch(
        /pvc|datavolume|pod|cdi|importer|namespace|kube|node|\d/i,
      )
  })
})
