import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { ClusterError } from '../../../server/src/engine/kube/cluster-error.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
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

test("a namespace is created once, carries Berth's labels, and does not change on a second apply", async () => {
  const desired = {
    ...tenant('made-once'),
    labels: { 'pod-security.kubernetes.io/enforce': 'baseline' },
  }
  const made = await cluster.writer.applyNamespace(desired)
  const again = await cluster.writer.applyNamespace({ ...desired, uid: made.uid })
  expect(made).toMatchObject({
    name: 'made-once',
    phase: 'active',
    rowId: desired.rowId,
    tenantId: desired.tenantId,
    blockedBy: null,
  })
  expect(again).toEqual(made)
  expect(await cluster.reader.getNamespace({ name: 'made-once' })).toEqual(made)
})

test('a retried apply finds its own object when the first answer was lost', async () => {
  const desired = tenant('answer-lost')
  const made = await cluster.writer.applyNamespace(desired)
  const retried = await cluster.writer.applyNamespace(desired)
  expect(retried.uid).toBe(made.uid)
})

test('an apply removes a label that Berth no longer sets and keeps labels of other owners', async () => {
  const desired = { ...tenant('drift'), labels: { 'berth.dev/extra': 'x' } }
  const { uid } = await cluster.writer.applyNamespace(desired)
  const headers = { 'content-type': 'application/merge-patch+json' }
  await sandbox.call('/api/v1/namespaces/drift', {
    method: 'PATCH',
    headers,
    body: { metadata: { labels: { theirs: 'y' } } },
  })
  await cluster.writer.applyNamespace({ ...desired, uid, labels: {} })
  const { labels } = (await sandbox.call('/api/v1/namespaces/drift')).body.metadata
  expect(labels).toMatchObject({ theirs: 'y', 'berth.dev/row-id': desired.rowId })
  expect(labels).not.toHaveProperty('berth.dev/extra')
})

test('an apply refuses a foreign namespace of the same name and leaves it unchanged', async () => {
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
  const desired = tenant('gone-for-good')
  const { uid } = await cluster.writer.applyNamespace(desired)
  expect(await cluster.writer.deleteNamespace({ name: desired.name }, uid)).toBe('terminating')
  await waitFor(async () => (await cluster.reader.getNamespace({ name: desired.name })) === null)
  expect(await troubleOf(cluster.writer.applyNamespace({ ...desired, uid }))).toBe('uid_mismatch')
  expect(await cluster.reader.getNamespace({ name: desired.name })).toBeNull()
})

test('a delete spares a successor of the same name and can be repeated', async () => {
  const first = tenant('successor')
  const { uid } = await cluster.writer.applyNamespace(first)
  await cluster.writer.deleteNamespace({ name: first.name }, uid)
  await waitFor(async () => (await cluster.reader.getNamespace({ name: first.name })) === null)
  expect(await cluster.writer.deleteNamespace({ name: first.name }, uid)).toBe('gone')
  const second = await cluster.writer.applyNamespace(tenant('successor'))
  expect(await cluster.writer.deleteNamespace({ name: first.name }, uid)).toBe('gone')
  expect((await cluster.reader.getNamespace({ name: first.name }))?.uid).toBe(second.uid)
})

test('a namespace that cannot terminate reports the blocking finalizer', async () => {
  const desired = tenant('held')
  const { uid } = await cluster.writer.applyNamespace(desired)
  const path = '/api/v1/namespaces/held/configmaps'
  await sandbox.call(path, {
    method: 'POST',
    body: { metadata: { name: 'hold', finalizers: ['example.com/hold'] } },
  })
  await cluster.writer.deleteNamespace({ name: 'held' }, uid)
  await waitFor(
    async () => (await cluster.reader.getNamespace({ name: 'held' }))?.blockedBy !== null,
  )
  const observed = await cluster.reader.getNamespace({ name: 'held' })
  expect(observed).toMatchObject({
    phase: 'terminating',
    blockedBy: expect.stringContaining('example.com/hold') as string,
  })
  expect(await troubleOf(cluster.writer.applyNamespace({ ...desired, uid: null }))).toBe(
    'namespace_terminating',
  )
})

test('pages of the namespace list contain each managed namespace once and no other', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `paged-${index}`)
  for (const name of names) await cluster.writer.applyNamespace(tenant(name))
  const listed: string[] = []
  let after: string | null = null
  do {
    const page = await cluster.reader.listNamespaces({ limit: 3, after })
    listed.push(...page.items.map(({ name }) => name))
    after = page.after
  } while (after !== null)
  expect(listed.filter((name) => name.startsWith('paged-'))).toEqual(names)
  expect(listed).not.toContain('default')
  expect(new Set(listed).size).toBe(listed.length)
})

test('a write that the cluster refuses is logged with its reason, and a lost race for a name is not', async () => {
  const lines: string[] = []
  const logging = gatewayTo(sandbox, {
    log: createLog('warn', { write: (line) => lines.push(line) }),
  })
  const desired = tenant('refused-label')
  const labels = { 'not a label': 'x' }
  expect(await troubleOf(logging.writer.applyNamespace({ ...desired, labels }))).toBe('refused')
  await logging.writer.applyNamespace(desired)
  expect(await troubleOf(logging.writer.applyNamespace(tenant('refused-label')))).toBe('name_taken')
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: 'cluster.write_refused',
      error: expect.objectContaining({ message: expect.stringContaining('not a label') }),
    }),
  ])
  await logging.close()
})
