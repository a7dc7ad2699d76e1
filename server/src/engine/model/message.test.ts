import { expect, test } from 'vitest'
import { Message, messageOf, parsedJson, storedJson } from './message.ts'

test('a message keeps its key and parameters through the JSON of a row', () => {
  const stored = storedJson({ summary: messageOf('access.logins_limited', { seconds: 5 }) })
  const { summary } = parsedJson(stored) as { summary: Message }
  expect(summary).toBeInstanceOf(Message)
  expect(summary).toMatchObject({ key: 'access.logins_limited', params: { seconds: 5 } })
  expect(String(summary)).toBe(
    'Too many attempts with a password, for this user or from your address, have failed or are still being checked; repeat the request in 5 s.',
  )
})

test('a stored message is read as its text when this release lacks its key', () => {
  const read = parsedJson('{ "key": "access.of_tomorrow", "params": {}, "text": "Wait." }')
  expect(String(read)).toBe('Wait.')
})

test('parsedJson returns labels named key and params unchanged', () => {
  const labels = { key: 'team', params: 'a' }
  expect(parsedJson(JSON.stringify(labels))).toStrictEqual(labels)
})
