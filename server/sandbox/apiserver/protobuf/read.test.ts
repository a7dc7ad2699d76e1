import { expect, test } from 'vitest'
import { readProtobuf } from './read.ts'

const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes])
}
const number = (at: number, value: number): Buffer => Buffer.from([at * 8, value])
const all = (...parts: Buffer[]): Buffer => Buffer.concat(parts)

const body = (apiVersion: string, kind: string, raw: Buffer): Buffer =>
  all(
    Buffer.from('k8s\0'),
    field(1, all(field(1, apiVersion), field(2, kind))),
    field(2, raw),
    field(3, ''),
    field(4, ''),
  )

const named = (name: string): Buffer =>
  field(1, all(field(1, name), field(2, ''), number(7, 0), field(8, '')))

test.each([
  {
    because: 'unset fields are omitted',
    sent: body(
      'v1',
      'ConfigMap',
      all(
        named('c'),
        field(2, all(field(1, 'a'), field(2, 'b'))),
        field(2, all(field(1, 'e'), field(2, ''))),
      ),
    ),
    read: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b', e: '' } },
  },
  {
    because: 'bytes become base64',
    sent: body(
      'v1',
      'Secret',
      all(named('s'), field(2, all(field(1, 'a'), field(2, 'b'))), field(3, 'Opaque')),
    ),
    read: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: { a: 'Yg==' },
      type: 'Opaque',
    },
  },
  {
    because: 'a list has one field per item',
    sent: body(
      'rbac.authorization.k8s.io/v1',
      'Role',
      all(named('r'), field(2, all(field(1, 'get'), field(1, 'list'), field(3, 'pods')))),
    ),
    read: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'r' },
      rules: [{ verbs: ['get', 'list'], resources: ['pods'] }],
    },
  },
  {
    because: 'an explicit zero is preserved',
    sent: body('v1', 'DeleteOptions', number(1, 0)),
    read: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 },
  },
])('a protobuf body is decoded: $because', ({ sent, read }) => {
  expect(readProtobuf(sent)).toEqual(read)
})

test('a kind without a message table is not decoded', () => {
  expect(readProtobuf(body('v1', 'Pod', named('p')))).toBeNull()
})

test('a body without the prefix or with a truncated message is refused', () => {
  expect(() => readProtobuf(Buffer.from('{}'))).toThrow('does not appear to be a protobuf message')
  expect(() => readProtobuf(body('v1', 'ConfigMap', named('c')).subarray(0, -9))).toThrow(
    'unexpected EOF',
  )
})
