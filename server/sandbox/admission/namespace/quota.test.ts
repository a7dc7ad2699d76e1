import { expect, test } from 'vitest'
import { type KubeObject } from '../../apiserver/types.ts'
import { registry } from '../../apiserver/registry.ts'
import { amountOf, plus, written } from './amount.ts'
import { mustFitQuotas } from './quota.ts'
import { usageOf } from './usage.ts'

const claimOf = (name: string, storage: string): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace: 'ns1' } },
  spec: { storageClassName: 'fast', resources: { requests: { storage } } },
})

const quota: KubeObject = {
  ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace: 'ns1' } },
  spec: { hard: { 'requests.storage': '2Gi', persistentvolumeclaims: '5' } },
}

const put = (object: KubeObject, { old = null, there = [] }: { old?: KubeObject | null; there?: KubeObject[] } = {}): void =>
  mustFitQuotas({
    ...{
      resource: registry.named('persistentvolumeclaims'),
      object,
      old,
      user: { name: 'anybody', groups: [] },
      dryRun: false,
      get: () => undefined,
      warn: () => undefined,
    },
    list: (kind) => (kind === 'resourcequotas' ? [quota] : there),
  })

test('what fits exactly is let in, and a byte more is refused with what is used', () => {
  const first = claimOf('a', '1Gi')
  expect(() => put(claimOf('b', '1Gi'), { there: [first] })).not.toThrow()
  expect(() => put(claimOf('b', '1073741825'), { there: [first] })).toThrow(
    'persistentvolumeclaims "b" is forbidden: exceeded quota: q, requested: requests.storage=1073741825, used: requests.storage=1Gi, limited: requests.storage=2Gi',
  )
})

test('a claim over the quota may still become smaller, or be labelled', () => {
  const large = claimOf('a', '4Gi')
  expect(() => put(claimOf('a', '3Gi'), { old: large, there: [large] })).not.toThrow()
  expect(() => put(claimOf('a', '5Gi'), { old: large, there: [large] })).toThrow('requested: requests.storage=1Gi')
})

test('a pod asks for its containers together or for the largest of those before them', () => {
  const container = (cpu: string, memory: string): object => ({ resources: { requests: { cpu, memory }, limits: { memory: '1Gi' } } })
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
    spec: { containers: [container('500m', '300Mi'), container('1', '300Mi')], initContainers: [container('1', '1Gi')] },
  } as unknown as KubeObject
  const usage = usageOf(registry.named('pods'), pod)
  const texts = Object.fromEntries(Object.entries(usage).map(([name, amount]) => [name, written(amount)]))
  expect(texts).toMatchObject({ 'requests.cpu': '1500m', 'requests.memory': '1Gi', 'limits.memory': '2Gi', pods: '1', 'count/pods': '1' })
})

test.each([
  ['1Gi', '1Gi', '2Gi'],
  ['512Mi', '512Mi', '1Gi'],
  ['100m', '200m', '300m'],
  ['600M', '400M', '1G'],
  ['1', '1073741823', '1073741824'],
])('%s and %s are %s', (a, b, sum) => {
  const [first, second] = [amountOf(a), amountOf(b)]
  expect(first && second && written(plus(first, second))).toBe(sum)
})
