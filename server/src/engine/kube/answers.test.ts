import { describe, expect, test } from 'vitest'
import { type Trouble, reactions } from './cluster-error.ts'
import { type ApiCall } from './api-call.ts'
import { problemIn, retryAfterMs } from './answers.ts'
import { checkedName } from './refs.ts'

const configMap = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', verbs: [] }
const call = (method: ApiCall['method']): ApiCall => ({
  method,
  of: configMap,
  namespace: checkedName('ns'),
  name: checkedName('a'),
})

interface Row {
  id: string
  because: string
  status: number
  body?: object
  text?: string
  method?: ApiCall['method']
  trouble: Trouble
}

const caused = (reason: string): object => ({
  details: { causes: [{ reason, message: 'm', field: 'f' }] },
})

const rows: Row[] = [
  {
    id: 'F-01',
    because: 'a taken name',
    status: 409,
    body: { reason: 'AlreadyExists' },
    trouble: 'name_taken',
  },
  {
    id: 'F-02',
    because: 'a write since the last read',
    status: 409,
    body: { reason: 'Conflict', message: 'the object has been modified' },
    trouble: 'version_conflict',
  },
  {
    id: 'F-03',
    because: 'a field of another manager',
    status: 409,
    body: { reason: 'Conflict', ...caused('FieldManagerConflict') },
    trouble: 'field_conflict',
  },
  {
    id: 'F-04',
    because: 'an apply after the delete',
    status: 409,
    body: { reason: 'Conflict', message: 'uid mismatch: the provided object …' },
    trouble: 'uid_mismatch',
  },
  {
    id: 'F-04',
    because: 'a delete of the next object with the name',
    status: 409,
    body: { reason: 'Conflict', message: 'the UID in the precondition (a) does not match' },
    method: 'DELETE',
    trouble: 'uid_mismatch',
  },
  {
    id: 'F-05',
    because: 'an absent object',
    status: 404,
    body: { reason: 'NotFound', details: { kind: 'configmaps' } },
    method: 'DELETE',
    trouble: 'gone',
  },
  {
    id: '404',
    because: 'a kind that the cluster does not know',
    status: 404,
    text: '404 page not found',
    method: 'GET',
    trouble: 'not_served',
  },
  {
    id: '500',
    because: 'an apply with a field that the schema lacks',
    status: 500,
    body: {
      message: 'failed to create typed patch object (a; v1): .spec.x: field not declared in schema',
    },
    trouble: 'refused',
  },
  {
    id: 'F-05',
    because: 'a write into an absent namespace',
    status: 404,
    body: { reason: 'NotFound', details: { kind: 'namespaces' } },
    method: 'POST',
    trouble: 'namespace_missing',
  },
  {
    id: 'F-06',
    because: 'a write into a terminating namespace',
    status: 403,
    body: { reason: 'Forbidden', ...caused('NamespaceTerminating') },
    trouble: 'namespace_terminating',
  },
  {
    id: 'F-07',
    because: 'an exceeded quota',
    status: 403,
    body: { reason: 'Forbidden', message: 'pods "p" is forbidden: exceeded quota: q' },
    trouble: 'quota_exceeded',
  },
  {
    id: 'F-07',
    because: 'a quota that requires requests',
    status: 403,
    body: { reason: 'Forbidden', message: 'failed quota: q: must specify' },
    trouble: 'quota_exceeded',
  },
  {
    id: 'F-08',
    because: 'a permission that the role lacks',
    status: 403,
    body: { reason: 'Forbidden', message: 'User "u" cannot get resource' },
    trouble: 'not_permitted',
  },
  {
    id: 'F-09',
    because: 'an invalid value',
    status: 422,
    body: { reason: 'Invalid', ...caused('FieldValueInvalid') },
    trouble: 'refused',
  },
  {
    id: 'F-09',
    because: 'a denial by a webhook without a reason',
    status: 422,
    body: { message: 'admission webhook denied the request:  Missing' },
    trouble: 'refused',
  },
  {
    id: 'F-09',
    because: 'a bad request',
    status: 400,
    body: { reason: 'BadRequest' },
    trouble: 'refused',
  },
  {
    id: 'F-10',
    because: 'an unavailable virt-api',
    status: 500,
    body: { message: 'Internal error occurred: failed calling webhook "x": refused' },
    trouble: 'webhook_unavailable',
  },
  {
    id: 'F-11',
    because: 'throttling in plain text',
    status: 429,
    text: 'Too many requests, please try again later.',
    trouble: 'throttled',
  },
  {
    id: 'F-12',
    because: 'a server error after a write',
    status: 500,
    body: {},
    trouble: 'maybe_applied',
  },
  {
    id: 'F-12',
    because: 'an error of a gateway',
    status: 502,
    text: '<html>',
    trouble: 'maybe_applied',
  },
  {
    id: 'F-12',
    because: 'a server error after a read',
    status: 503,
    body: {},
    method: 'GET',
    trouble: 'unreachable',
  },
  {
    id: 'F-15',
    because: 'an expired token',
    status: 401,
    body: { reason: 'Unauthorized' },
    trouble: 'unauthenticated',
  },
  {
    id: '410',
    because: 'a compacted version',
    status: 410,
    body: { reason: 'Expired' },
    method: 'GET',
    trouble: 'expired',
  },
  {
    id: 'new',
    because: 'an unknown status',
    status: 299 + 500,
    body: {},
    trouble: 'maybe_applied',
  },
]

test.each(rows)(
  '$id: problemIn maps $because to $trouble',
  ({ status, body = {}, text = '', method = 'PATCH', trouble }) => {
    expect(
      problemIn({ call: call(method), status, body, text, retryAfterMs: undefined }).trouble,
    ).toBe(trouble)
  },
)

test('problemIn accepts any body', () => {
  for (const body of [
    null,
    7,
    'x',
    [],
    { details: { causes: 'x' } },
    { details: { causes: [null, 3] } },
    { message: {} },
  ]) {
    expect(
      problemIn({ call: call('PATCH'), status: 409, body, text: '', retryAfterMs: undefined })
        .trouble,
    ).toBe('version_conflict')
  }
})

describe('reactions to a trouble', () => {
  test('a trouble is read again only when an earlier attempt may explain it', () => {
    const reread = Object.entries(reactions).filter(([, { retry }]) => retry === 'reread')
    expect(reread.map(([trouble]) => trouble).sort()).toEqual([
      'expired',
      'maybe_applied',
      'version_conflict',
    ])
  })

  test('a trouble raises an alarm when Berth or its installation caused it', () => {
    const alarms = Object.entries(reactions).filter(([, { alarm }]) => alarm === true)
    expect(alarms.map(([trouble]) => trouble).sort()).toEqual([
      'field_conflict',
      'not_permitted',
      'not_served',
      'unauthenticated',
    ])
  })
})

test.each([
  ['2', 2000],
  ['0', 0],
  ['9999', 120_000],
  ['soon', undefined],
  [undefined, undefined],
])('the header Retry-After %s means %s ms', (header, ms) => {
  expect(retryAfterMs(header)).toBe(ms)
})
