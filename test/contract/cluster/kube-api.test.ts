import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type KubeCall,
  type RunningSandbox,
  startSandboxProcess,
} from '../../support/sandbox/sandbox.ts'

/*
 * Answers of a real kube-apiserver 1.36 on which Berth's decisions rest. When the sandbox differs,
 * the sandbox is wrong.
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
    because: 'apply creates a missing object',
    path: `${maps}/a1?fieldManager=m`,
    call: apply('a1'),
    status: 201,
  },
  {
    because: 'apply with an old resourceVersion creates a missing object',
    path: `${maps}/a2?fieldManager=m`,
    call: apply('a2', { resourceVersion: '5' }),
    status: 201,
  },
  {
    because: 'apply with an old uid does not create a missing object',
    path: `${maps}/a3?fieldManager=m`,
    call: apply('a3', { uid: oldUid }),
    status: 409,
    reason: 'Conflict',
  },
  {
    because: 'the object to create exists',
    before: [[maps, create('a4')]],
    path: maps,
    call: create('a4'),
    status: 409,
    reason: 'AlreadyExists',
  },
  {
    because: 'another field manager owns the applied field',
    before: [[`${maps}/a5?fieldManager=one`, apply('a5')]],
    path: `${maps}/a5?fieldManager=two`,
    call: apply('a5', {}, '2'),
    status: 409,
    reason: 'Conflict',
    cause: 'FieldManagerConflict',
  },
  {
    because: 'a replace carries a stale resourceVersion',
    before: [[maps, create('a6')]],
    path: `${maps}/a6`,
    call: { method: 'PUT', body: { metadata: { name: 'a6', resourceVersion: '7' } } },
    status: 409,
    reason: 'Conflict',
  },
  {
    because: 'a replace without a resourceVersion overwrites the object',
    before: [[maps, create('a7')]],
    path: `${maps}/a7`,
    call: { method: 'PUT', body: { metadata: { name: 'a7' } } },
    status: 200,
  },
  {
    because: 'a delete names another uid',
    before: [[maps, create('a8')]],
    path: `${maps}/a8`,
    call: { method: 'DELETE', body: { preconditions: { uid: oldUid } } },
    status: 409,
    reason: 'Conflict',
  },
  {
    because: 'a label value is invalid',
    path: maps,
    call: { method: 'POST', body: { metadata: { name: 'a9', labels: { a: 'b c' } } } },
    status: 422,
    reason: 'Invalid',
    cause: 'FieldValueInvalid',
  },
  {
    because: 'a name is invalid',
    path: maps,
    call: create('A_9'),
    status: 422,
    reason: 'Invalid',
    cause: 'FieldValueInvalid',
  },
  {
    because: 'the namespace does not exist',
    path: '/api/v1/namespaces/nope/configmaps',
    call: create('a'),
    status: 404,
    reason: 'NotFound',
  },
  {
    because: 'a create targets a terminating namespace',
    path: '/api/v1/namespaces/ending/configmaps',
    call: create('a'),
    status: 403,
    reason: 'Forbidden',
    cause: 'NamespaceTerminating',
  },
  {
    because: 'an apply targets a terminating namespace',
    path: '/api/v1/namespaces/ending/configmaps/a?fieldManager=m',
    call: apply('a'),
    status: 403,
    reason: 'Forbidden',
    cause: 'NamespaceTerminating',
  },
  {
    because: 'a terminating namespace is created again',
    path: '/api/v1/namespaces',
    call: create('ending'),
    status: 409,
    reason: 'AlreadyExists',
  },
  {
    because: 'a list names a compacted resourceVersion',
    path: `${maps}?resourceVersion=2&resourceVersionMatch=Exact`,
    call: {},
    status: 410,
    reason: 'Expired',
  },
  {
    because: 'a list names a future resourceVersion',
    path: `${maps}?resourceVersion=99999999&resourceVersionMatch=NotOlderThan`,
    call: {},
    status: 504,
    reason: 'Timeout',
    cause: 'ResourceVersionTooLarge',
  },
  {
    because: 'a request carries no credentials',
    path: maps,
    call: { anonymous: true },
    status: 403,
    reason: 'Forbidden',
  },
  {
    because: 'a request carries wrong credentials',
    path: maps,
    call: { anonymous: true, headers: { authorization: 'Bearer wrong' } },
    status: 401,
    reason: 'Unauthorized',
  },
  {
    because: 'a name of two dots is an ordinary name',
    path: `${maps}/..`,
    call: { method: 'DELETE' },
    status: 404,
    reason: 'NotFound',
  },
]

test.each(rows)(
  'the API server answers $status $reason: $because',
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
