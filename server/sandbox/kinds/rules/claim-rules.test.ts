import { expect, test } from 'vitest'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { changedLines } from './changed-lines.ts'
import { claimHooks } from './claim-rules.ts'

const claim = (spec: JsonMap, status: JsonMap = { phase: 'Pending' }): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c' },
  spec,
  status,
})

const spec: JsonMap = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '2Gi' } },
  storageClassName: 'fast',
}
const bound = { phase: 'Bound', capacity: { storage: '2Gi' } }

const refusals = (next: KubeObject, old: KubeObject | null = null): string[] =>
  (claimHooks.validate?.(next, old) ?? []).map(
    ({ field, message }) => `${field}: ${message.split('\n')[0]}`,
  )

const immutable =
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

const creations: { because: string; spec: JsonMap; refused: string[] }[] = [
  { because: 'the spec is complete', spec, refused: [] },
  {
    because: 'access modes and size are missing',
    spec: {},
    refused: [
      'spec.accessModes: Required value: at least 1 access mode is required',
      'spec.resources[storage]: Required value',
    ],
  },
  {
    because: 'ReadWriteOncePod excludes other access modes',
    spec: { ...spec, accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
    refused: ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  },
  {
    because: 'the size is zero',
    spec: { ...spec, resources: { requests: { storage: '0' } } },
    refused: ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  },
  {
    because: 'the volume mode does not exist',
    spec: { ...spec, volumeMode: 'Tape' },
    refused: [
      'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
    ],
  },
]

for (const { because, spec: claimSpec, refused } of creations) {
  test(`a new claim ${JSON.stringify(claimSpec)} gets the API server's answer: ${because}`, () => {
    expect(refusals(claim(claimSpec))).toEqual(refused)
  })
}

test('a claim grows only when it is bound, and does not shrink below its volume', () => {
  const sized = (storage: string): JsonMap => ({ ...spec, resources: { requests: { storage } } })
  expect(refusals(claim(sized('3Gi'), bound), claim(spec, bound))).toEqual([])
  expect(refusals(claim(sized('3Gi')), claim(spec))).toEqual([immutable])
  expect(refusals(claim(sized('1Gi'), bound), claim(spec, bound))).toEqual([
    'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
  ])
})

test('a bound claim does not change its volume', () => {
  expect(refusals(claim({ ...spec, volumeName: 'pv-1' }), claim(spec))).toEqual([])
  expect(
    refusals(claim({ ...spec, volumeName: 'pv-2' }), claim({ ...spec, volumeName: 'pv-1' })),
  ).toEqual([immutable])
})

test('a diff shows distant changes as two hunks with three lines of context', () => {
  const before = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10 }
  const { a: _a, ...rest } = before
  expect(changedLines(before, { ...rest, i: 'x', k: 0 })).toBe(
    [
      '@@ -1,5 +1,4 @@',
      ' {',
      '- "a": 1,',
      '  "b": 2,',
      '  "c": 3,',
      '  "d": 4,',
      '@@ -7,6 +6,7 @@',
      '  "f": 6,',
      '  "g": 7,',
      '  "h": 8,',
      '- "i": 9,',
      '- "j": 10',
      '+ "i": "x",',
      '+ "j": 10,',
      '+ "k": 0',
      ' }',
      '',
    ].join('\n'),
  )
})
