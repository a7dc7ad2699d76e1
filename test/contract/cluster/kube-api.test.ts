import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type KubeCall,
  type RunningSandbox,
  startSandboxProcess,
} from '../../support/sandbox/sandbox.ts'

/*
 * The answers that our decisions rest on, as a real kube-apiserver 1.36 gave them. A difference is
 * a fault of the sandbox.
 */
let sandbox: RunningSandbox

beforeAll(async () => {
  sandbox = await startSandboxProcess()
  await sandbox.call('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'kc' } } })
  await sandbox.call('/api/v1/namespaces', {
    method: 'POST',
    body: { metadata: { name: 'ending' } },
  })
  await sandbox.call('/api/v1/namespaces/ending/configmaps', {
    method: 'POST',
    body: { metadata: { name: 'hold', finalizers: ['example.com/hold'] } },
  })
  await sandbox.call('/api/v1/namespaces/ending', { method: 'DELETE' })
})

afterAll(() => sandbox.stop())

const maps = '/api/v1/namespaces/kc/configmaps'
const oldUid = '11111111-2222-3333-4444-555555555555'

const apply = (name: string, metadata: object = {}, value = '1'): KubeCall => ({
  method: 'PATCH',
  headers: { 'content-type': 'application/apply-patch+yaml' },
  body: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...metadata },
    data: { k: value },
  },
})

const create = (name: string): KubeCall => ({
  method: 'POST',
  body: { metadata: { name }, data: { k: '1' } },
})

interface Row {
  because: string
  before?: [path: string, call: KubeCall][]
  path: string
  call: KubeCall
  status: number
  reason?: string
  cause?: string
}

const rows: Row[] = [
  {
    because: 'apply on nothing creates',
    path: `${maps}/a1?fieldManager=m`,
    call: apply('a1'),
    status: 201,
  },
  {
    because: 'apply with an old version on nothing creates too',
    path: `${maps}/a2?fieldManager=m`,
    call: apply('a2', { resourceVersion: '5' }),
    status: 201,
  },
  {
    because: 'apply with an old uid on nothing does not create',
    path: `${maps}/a3?fieldManager=m`,
    call: apply('a3', { uid: oldUid }),
    status: 409,
    reason: 'Conflict',
  },
  {
    because: 'create twice',
    before: [[maps, create('a4')]],
    path: maps,
    call: create('a4'),
    status: 409,
    reason: 'AlreadyExists',
  },
  {
    because: "apply over another manager's field",
    before: [[`${maps}/a5?fieldManager=one`, apply('a5')]],
    path: `${maps}/a5?fieldManager=two`,
    call: apply('a5', {}, '2'),
    status: 409,
    reason: 'Conflict',
    cause: 'FieldManagerConflict',
  },
  {
    because: 'stale replace',
    before: [[maps, create('a6')]],
    path: `${maps}/a6`,
    call: { method: 'PUT', body: { metadata: { name: 'a6', resourceVersion: '7' } } },
    status: 409,
    reason: 'Conflict',
  },
  {
    because: 'replace without a version overwrites',
    before: [[maps, create('a7')]],
    path: `${maps}/a7`,
    call: { method: 'PUT', body: { metadata: { name: 'a7' } } },
    status: 200,
  },
  {
    because: 'delete with another uid',
    before: [[maps, create('a8')]],
    path: `${maps}/a8`,
    call: { method: 'DELETE', body: { preconditions: { uid: oldUid } } },
    status: 409,
    reason: 'Conflict',
  },
  {
    because: 'bad label',
    path: maps,
    call: { method: 'POST', body: { metadata: { name: 'a9', labels: { a: 'b c' } } } },
    status: 422,
    reason: 'Invalid',
    cause: 'FieldValueInvalid',
  },
  {
    because: 'bad name',
    path: maps,
    call: create('A_9'),
    status: 422,
    reason: 'Invalid',
    cause: 'FieldValueInvalid',
  },
  {
    because: 'missing namespace',
    path: '/api/v1/namespaces/nope/configmaps',
    call: create('a'),
    status: 404,
    reason: 'NotFound',
  },
  {
    because: 'create in an ending namespace',
    path: '/api/v1/namespaces/ending/configmaps',
    call: create('a'),
    status: 403,
    reason: 'Forbidden',
    cause: 'NamespaceTerminating',
  },
  {
    because: 'apply in an ending namespace',
    path: '/api/v1/namespaces/ending/configmaps/a?fieldManager=m',
    call: apply('a'),
    status: 403,
    reason: 'Forbidden',
    cause: 'NamespaceTerminating',
  },
  {
    because: 'make an ending namespace again',
    path: '/api/v1/namespaces',
    call: create('ending'),
    status: 409,
    reason: 'AlreadyExists',
  },
  {
    because: 'list at a compacted version',
    path: `${maps}?resourceVersion=2&resourceVersionMatch=Exact`,
    call: {},
    status: 410,
    reason: 'Expired',
  },
  {
    because: 'list at a version to come',
    path: `${maps}?resourceVersion=99999999&resourceVersionMatch=NotOlderThan`,
    call: {},
    status: 504,
    reason: 'Timeout',
    cause: 'ResourceVersionTooLarge',
  },
  {
    because: 'no credentials',
    path: maps,
    call: { anonymous: true },
    status: 403,
    reason: 'Forbidden',
  },
  {
    because: 'wrong credentials',
    path: maps,
    call: { anonymous: true, headers: { authorization: 'Bearer wrong' } },
    status: 401,
    reason: 'Unauthorized',
  },
  {
    because: 'dots are a name like any other',
    path: `${maps}/..`,
    call: { method: 'DELETE' },
    status: 404,
    reason: 'NotFound',
  },
]

test.each(rows)(
  '$because: $status $reason',
  async ({ before = [], path, call, status, reason, cause }) => {
    for (const [earlier, setup] of before)
      expect((await sandbox.call(earlier, setup)).status).toBeLessThan(300)
    const answer = await sandbox.call(path, call)
    expect({
      status: answer.status,
      reason: status < 400 ? undefined : answer.body.reason,
    }).toEqual({ status, reason })
    if (cause !== undefined) expect(answer.body.details?.causes?.[0]?.reason).toBe(cause)
  },
)
