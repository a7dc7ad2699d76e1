import { expect, test } from 'vitest'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { registry } from '../../kinds/registry.ts'
import { amountOf, plus, formatAmount } from './amount.ts'
import { mustFitQuotas } from './quota.ts'
import { usageOf } from './usage.ts'

const claimOf = (name: string, storage: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'ns1' },
  spec: { storageClassName: 'fast', resources: { requests: { storage } } },
})

const hard = { 'requests.storage': '2Gi', persistentvolumeclaims: '5' }
const quotaWith = (status: JsonMap): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q', namespace: 'ns1' },
  spec: { hard },
  status,
})

interface QuotaState {
  old?: KubeObject | null
  used?: string
  dryRun?: boolean
  quota?: KubeObject
}

/** Returns the usage that the write charged to the quota, or null when it charged nothing. */
const put = (
  object: KubeObject,
  { old = null, used = '0', dryRun = false, ...state }: QuotaState = {},
): JsonMap | null => {
  const {
    quota = quotaWith({
      hard,
      used: { 'requests.storage': used, persistentvolumeclaims: used === '0' ? '0' : '1' },
    }),
  } = state
  const charged: JsonMap[] = []
  mustFitQuotas(
    {
      resource: registry.named('persistentvolumeclaims'),
      object,
      old,
      user: { name: 'alice', groups: [] },
      dryRun,
      get: () => undefined,
      warn: () => undefined,
      kindOf: () => null,
      list: () => [quota],
    },
    (_quota, { used }) => void charged.push(read.map(used)),
  )
  return charged[0] ?? null
}

test('a quota admits a claim that fits exactly and refuses one more byte', () => {
  expect(put(claimOf('b', '1Gi'), { used: '1Gi' })).toEqual({
    'requests.storage': '2Gi',
    persistentvolumeclaims: '2',
  })
  expect(() => put(claimOf('b', '1073741825'), { used: '1Gi' })).toThrow(
    'persistentvolumeclaims "b" is forbidden: exceeded quota: q, requested: requests.storage=1073741825, used: requests.storage=1Gi, limited: requests.storage=2Gi',
  )
})

test('a claim over the quota may shrink but does not grow', () => {
  const large = claimOf('a', '4Gi')
  expect(put(claimOf('a', '3Gi'), { old: large, used: '4Gi' })).toBeNull()
  expect(() => put(claimOf('a', '5Gi'), { old: large, used: '4Gi' })).toThrow(
    'requested: requests.storage=1Gi',
  )
})

test('a quota limits nothing before its first count, and a dry run charges nothing', () => {
  expect(put(claimOf('a', '4Gi'), { quota: quotaWith({}) })).toBeNull()
  expect(put(claimOf('a', '1Gi'), { dryRun: true })).toBeNull()
})

test('the usage of a pod is the sum of its containers or its largest init container', () => {
  const container = (cpu: string, memory: string): object => ({
    resources: { requests: { cpu, memory }, limits: { memory: '1Gi' } },
  })
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: {
      containers: [container('500m', '300Mi'), container('1', '300Mi')],
      initContainers: [container('1', '1Gi')],
    },
  } as unknown as KubeObject
  const usage = usageOf(registry.named('pods'), pod)
  const texts = Object.fromEntries(
    Object.entries(usage).map(([name, amount]) => [name, formatAmount(amount)]),
  )
  expect(texts).toMatchObject({
    'requests.cpu': '1500m',
    'requests.memory': '1Gi',
    'limits.memory': '2Gi',
    pods: '1',
    'count/pods': '1',
  })
})

test.each([
  ['1Gi', '1Gi', '2Gi'],
  ['512Mi', '512Mi', '1Gi'],
  ['100m', '200m', '300m'],
  ['600M', '400M', '1G'],
  ['1', '1073741823', '1073741824'],
])('the sum of %s and %s is %s', (a, b, sum) => {
  const [first, second] = [amountOf(a), amountOf(b)]
  expect(first && second && formatAmount(plus(first, second))).toBe(sum)
})
