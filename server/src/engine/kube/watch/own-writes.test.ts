import { expect, test } from 'vitest'
import { type ApiKind } from '../api-call.ts'
import { OwnWrites } from './own-writes.ts'
import { type KnownObject } from './watch.ts'

const of: ApiKind = { group: '', version: 'v1', kind: 'Service', plural: 'services', verbs: [] }
const address = { of, namespace: 'a', name: 'web' }

const known = (version: string, name = address.name): KnownObject => ({
  namespace: 'a',
  name,
  uid: `uid-${name}`,
  tenantId: null,
  rowId: null,
  version,
  generation: null,
})
const answer = (resourceVersion: string) => ({
  metadata: { name: address.name, uid: `uid-${address.name}`, resourceVersion },
})

function following() {
  const writes = new OwnWrites()
  const reported: string[] = []
  const see = (object: KnownObject): void =>
    writes.reportForeign(of, object, () => reported.push(`${object.name} ${object.version}`))
  return { writes, reported, see }
}

test('the echo of a write is not reported when it comes after the response', async () => {
  const { writes, reported, see } = following()
  await writes.send(address, () => Promise.resolve(answer('5')))
  see(known('5'))
  expect(reported).toEqual([])
})

test('the echo of a write is not reported when it comes before the response', async () => {
  const { writes, reported, see } = following()
  const response = Promise.withResolvers<ReturnType<typeof answer>>()
  const sent = writes.send(address, () => response.promise)
  see(known('5'))
  response.resolve(answer('5'))
  await sent
  expect(reported).toEqual([])
})

test('a change by another client is reported, at the latest when a write of the object has ended', async () => {
  const { writes, reported, see } = following()
  const response = Promise.withResolvers<ReturnType<typeof answer>>()
  const sent = writes.send(address, () => response.promise)
  see(known('4'))
  see(known('5'))
  see(known('7', 'other'))
  expect(reported).toEqual(['other 7'])
  response.resolve(answer('5'))
  await sent
  expect(reported).toEqual(['other 7', 'web 4'])
  see(known('6'))
  expect(reported).toEqual(['other 7', 'web 4', 'web 6'])
})

test('an event waits for the last of several writes of the object', async () => {
  const { writes, reported, see } = following()
  const responses = [1, 2].map(() => Promise.withResolvers<ReturnType<typeof answer>>())
  const sent = responses.map(({ promise }) => writes.send(address, () => promise))
  see(known('6'))
  responses[0]?.resolve(answer('5'))
  await sent[0]
  expect(reported).toEqual([])
  responses[1]?.resolve(answer('6'))
  await sent[1]
  expect(reported).toEqual([])
  see(known('5'))
  expect(reported).toEqual([])
})

test('an event is reported when the write fails', async () => {
  const { writes, reported, see } = following()
  const response = Promise.withResolvers<never>()
  const sent = writes.send(address, () => response.promise)
  see(known('5'))
  response.reject(new Error('cut off'))
  await expect(sent).rejects.toThrow('cut off')
  expect(reported).toEqual(['web 5'])
})

test('another object of the same name and version is reported', async () => {
  const { writes, reported, see } = following()
  await writes.send(address, () => Promise.resolve(answer('5')))
  see({ ...known('5'), uid: 'another' })
  expect(reported).toEqual(['web 5'])
})

test('the echo of an old write is reported, because only the latest writes are remembered', async () => {
  const { writes, reported, see } = following()
  for (let version = 1; version <= 2_001; version++)
    await writes.send(address, () => Promise.resolve(answer(String(version))))
  see(known('1'))
  see(known('2'))
  expect(reported).toEqual(['web 1'])
})
