import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { ClusterError } from '../../../server/src/engine/kube/cluster-error.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { type RunningSandbox, startSandboxProcess } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'

let sandbox: RunningSandbox
let cluster: Cluster

beforeAll(async () => {
  sandbox = await startSandboxProcess()
  cluster = gatewayTo(sandbox)
})

afterAll(async () => {
  await cluster.close()
  await sandbox.stop()
})

const tenant = (name: string) => {
  const id = randomUUID()
  return { name, tenantId: id, rowId: id, uid: null }
}

const troubleOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: unknown) => (error instanceof ClusterError ? error.trouble : String(error)),
  )

test('a namespace is made once, bears our labels, and a second apply changes nothing', async () => {
  const wanted = {
    ...tenant('made-once'),
    labels: { 'pod-security.kubernetes.io/enforce': 'baseline' },
  }
  const made = await cluster.writer.applyNamespace(wanted)
  const again = await cluster.writer.applyNamespace({ ...wanted, uid: made.uid })
  expect(made).toMatchObject({
    name: 'made-once',
    phase: 'active',
    rowId: wanted.rowId,
    tenantId: wanted.tenantId,
    blockedBy: null,
  })
  expect(again).toEqual(made)
  expect(await cluster.reader.getNamespace({ name: 'made-once' })).toEqual(made)
})

test('an apply whose answer was lost finds its own object again', async () => {
  const wanted = tenant('answer-lost')
  const made = await cluster.writer.applyNamespace(wanted)
  const retried = await cluster.writer.applyNamespace(wanted)
  expect(retried.uid).toBe(made.uid)
})

test("a label that we leave out goes, and somebody else's stays", async () => {
  const wanted = { ...tenant('drift'), labels: { 'berth.dev/extra': 'x' } }
  const { uid } = await cluster.writer.applyNamespace(wanted)
  const headers = { 'content-type': 'application/merge-patch+json' }
  await sandbox.call('/api/v1/namespaces/drift', {
    method: 'PATCH',
    headers,
    body: { metadata: { labels: { theirs: 'y' } } },
  })
  await cluster.writer.applyNamespace({ ...wanted, uid, labels: {} })
  const { labels } = (await sandbox.call('/api/v1/namespaces/drift')).body.metadata
  expect(labels).toMatchObject({ theirs: 'y', 'berth.dev/row-id': wanted.rowId })
  expect(labels).not.toHaveProperty('berth.dev/extra')
})

test("a stranger's namespace of the name is refused and left as it is", async () => {
  await sandbox.call('/api/v1/namespaces', {
    method: 'POST',
    body: { metadata: { name: 'theirs', labels: { owner: 'them' } } },
  })
  const before = (await sandbox.call('/api/v1/namespaces/theirs')).body.metadata.resourceVersion
  expect(await troubleOf(cluster.writer.applyNamespace(tenant('theirs')))).toBe('name_taken')
  expect((await sandbox.call('/api/v1/namespaces/theirs')).body.metadata.resourceVersion).toBe(
    before,
  )
})

test('an apply after the delete does not bring the namespace back', async () => {
  const wanted = tenant('gone-for-good')
  const { uid } = await cluster.writer.applyNamespace(wanted)
  expect(await cluster.writer.deleteNamespace({ name: wanted.name }, uid)).toBe('terminating')
  await waitFor(async () => (await cluster.reader.getNamespace({ name: wanted.name })) === null)
  expect(await troubleOf(cluster.writer.applyNamespace({ ...wanted, uid }))).toBe('uid_mismatch')
  expect(await cluster.reader.getNamespace({ name: wanted.name })).toBeNull()
})

test('a delete means one object: not its successor of the same name, and twice is as good as once', async () => {
  const first = tenant('successor')
  const { uid } = await cluster.writer.applyNamespace(first)
  await cluster.writer.deleteNamespace({ name: first.name }, uid)
  await waitFor(async () => (await cluster.reader.getNamespace({ name: first.name })) === null)
  expect(await cluster.writer.deleteNamespace({ name: first.name }, uid)).toBe('gone')
  const second = await cluster.writer.applyNamespace(tenant('successor'))
  expect(await cluster.writer.deleteNamespace({ name: first.name }, uid)).toBe('gone')
  expect((await cluster.reader.getNamespace({ name: first.name }))?.uid).toBe(second.uid)
})

test('a namespace that something holds says what holds it', async () => {
  const wanted = tenant('held')
  const { uid } = await cluster.writer.applyNamespace(wanted)
  const path = '/api/v1/namespaces/held/configmaps'
  await sandbox.call(path, {
    method: 'POST',
    body: { metadata: { name: 'hold', finalizers: ['example.com/hold'] } },
  })
  await cluster.writer.deleteNamespace({ name: 'held' }, uid)
  await waitFor(
    async () => (await cluster.reader.getNamespace({ name: 'held' }))?.blockedBy !== null,
  )
  const seen = await cluster.reader.getNamespace({ name: 'held' })
  expect(seen).toMatchObject({
    phase: 'terminating',
    blockedBy: expect.stringContaining('example.com/hold') as string,
  })
  expect(await troubleOf(cluster.writer.applyNamespace({ ...wanted, uid: null }))).toBe(
    'namespace_terminating',
  )
})

test('pages of our namespaces hold each once and nobody else’s', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `paged-${index}`)
  for (const name of names) await cluster.writer.applyNamespace(tenant(name))
  const seen: string[] = []
  let after: string | null = null
  do {
    const page = await cluster.reader.listNamespaces({ limit: 3, after })
    seen.push(...page.items.map(({ name }) => name))
    after = page.after
  } while (after !== null)
  expect(seen.filter((name) => name.startsWith('paged-'))).toEqual(names)
  expect(seen).not.toContain('default')
  expect(new Set(seen).size).toBe(seen.length)
})
