import { describe, expect, test } from 'vitest'
import { type Trouble, reactions } from './cluster-error.ts'
import { type ApiCall } from './api-call.ts'
import { problemIn, retryAfterMs } from './answers.ts'
import { checkedName } from './refs.ts'

const configMap = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' }
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
    because: 'the name is taken',
    status: 409,
    body: { reason: 'AlreadyExists' },
    trouble: 'name_taken',
  },
  {
    id: 'F-02',
    because: 'somebody wrote in between',
    status: 409,
    body: { reason: 'Conflict', message: 'the object has been modified' },
    trouble: 'version_conflict',
  },
  {
    id: 'F-03',
    because: 'another manager owns the field',
    status: 409,
    body: { reason: 'Conflict', ...caused('FieldManagerConflict') },
    trouble: 'field_conflict',
  },
  {
    id: 'F-04',
    because: 'apply after the delete',
    status: 409,
    body: { reason: 'Conflict', message: 'uid mismatch: the provided object …' },
    trouble: 'uid_mismatch',
  },
  {
    id: 'F-04',
    because: 'delete of a successor',
    status: 409,
    body: { reason: 'Conflict', message: 'the UID in the precondition (a) does not match' },
    method: 'DELETE',
    trouble: 'uid_mismatch',
  },
  {
    id: 'F-05',
    because: 'not there',
    status: 404,
    body: { reason: 'NotFound', details: { kind: 'configmaps' } },
    method: 'DELETE',
    trouble: 'gone',
  },
  {
    id: '404',
    because: 'the cluster does not know the kind',
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
    because: 'no namespace to write into',
    status: 404,
    body: { reason: 'NotFound', details: { kind: 'namespaces' } },
    method: 'POST',
    trouble: 'namespace_missing',
  },
  {
    id: 'F-06',
    because: 'the namespace ends',
    status: 403,
    body: { reason: 'Forbidden', ...caused('NamespaceTerminating') },
    trouble: 'namespace_terminating',
  },
  {
    id: 'F-07',
    because: 'quota',
    status: 403,
    body: { reason: 'Forbidden', message: 'pods "p" is forbidden: exceeded quota: q' },
    trouble: 'quota_exceeded',
  },
  {
    id: 'F-07',
    because: 'quota without requests',
    status: 403,
    body: { reason: 'Forbidden', message: 'failed quota: q: must specify' },
    trouble: 'quota_exceeded',
  },
  {
    id: 'F-08',
    because: 'our role lacks it',
    status: 403,
    body: { reason: 'Forbidden', message: 'User "u" cannot get resource' },
    trouble: 'not_permitted',
  },
  {
    id: 'F-09',
    because: 'invalid',
    status: 422,
    body: { reason: 'Invalid', ...caused('FieldValueInvalid') },
    trouble: 'refused',
  },
  {
    id: 'F-09',
    because: 'a webhook without a reason',
    status: 422,
    body: { message: 'admission webhook denied the request:  Missing' },
    trouble: 'refused',
  },
  {
    id: 'F-09',
    because: 'bad request',
    status: 400,
    body: { reason: 'BadRequest' },
    trouble: 'refused',
  },
  {
    id: 'F-10',
    because: 'virt-api is away',
    status: 500,
    body: { message: 'Internal error occurred: failed calling webhook "x": refused' },
    trouble: 'webhook_unavailable',
  },
  {
    id: 'F-11',
    because: 'throttled in plain text',
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
    because: 'a gateway in between',
    status: 502,
    text: '<html>',
    trouble: 'maybe_applied',
  },
  {
    id: 'F-12',
    because: 'a server error after a read did nothing',
    status: 503,
    body: {},
    method: 'GET',
    trouble: 'unreachable',
  },
  {
    id: 'F-15',
    because: 'the token is old',
    status: 401,
    body: { reason: 'Unauthorized' },
    trouble: 'unauthenticated',
  },
  {
    id: '410',
    because: 'compacted',
    status: 410,
    body: { reason: 'Expired' },
    method: 'GET',
    trouble: 'expired',
  },
  {
    id: 'new',
    because: 'a code nobody has heard of',
    status: 299 + 500,
    body: {},
    trouble: 'maybe_applied',
  },
]

test.each(rows)(
  '$id: $because is $trouble',
  ({ status, body = {}, text = '', method = 'PATCH', trouble }) => {
    expect(
      problemIn({ call: call(method), status, body, text, retryAfterMs: undefined }).trouble,
    ).toBe(trouble)
  },
)

test('whatever the body is, the mapping answers', () => {
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

describe('what follows from a trouble', () => {
  test('only troubles that an earlier try may explain are looked at again', () => {
    const reread = Object.entries(reactions).filter(([, { retry }]) => retry === 'reread')
    expect(reread.map(([trouble]) => trouble).sort()).toEqual([
      'expired',
      'maybe_applied',
      'version_conflict',
    ])
  })

  test('what is our own mistake raises an alarm', () => {
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
])('Retry-After %s is %s ms', (header, ms) => {
  expect(retryAfterMs(header)).toBe(ms)
})
