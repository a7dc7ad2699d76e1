import { expect, test } from 'vitest'
import { RfbServer } from './rfb.ts'

function connect() {
  const sent: Buffer[] = []
  const keys: string[] = []
  let isOver = false
  let changed = (): void => undefined
  const picture = { width: 1, height: 2, rgb: Buffer.from([0, 0, 0, 255, 128, 1]) }
  const screen = {
    name: 'acme_web-1',
    picture: () => picture,
    follow: (listener: { changed(): void }) => {
      changed = listener.changed
      return () => undefined
    },
    key: (symbol: number, isDown: boolean) => keys.push(`${symbol} ${isDown}`),
  }
  const server = new RfbServer(screen, {
    data: (bytes) => sent.push(bytes),
    end: () => (isOver = true),
  })
  const answer = (bytes: number[] | string): Buffer => {
    const before = sent.length
    server.write(Buffer.from(bytes as string))
    return Buffer.concat(sent.slice(before))
  }
  const greeted = (): void => {
    answer('RFB 003.008\n')
    answer([1])
    answer([1])
  }
  const change = (): Buffer => {
    const before = sent.length
    changed()
    return Buffer.concat(sent.slice(before))
  }
  return { answer, greeted, change, keys, isOver: () => isOver }
}

const ask = (isIncremental: 0 | 1): number[] => [3, isIncremental, 0, 0, 0, 0, 0, 1, 0, 2]
const pixels = (update: Buffer): number[] => [...update.subarray(16)]

test('a client connects without a password and receives the size and the name', () => {
  const { answer } = connect()
  expect([...answer('RFB 003.008\n')]).toEqual([1, 1])
  expect([...answer([1])]).toEqual([0, 0, 0, 0])
  const init = answer([1])
  expect([init.readUInt16BE(0), init.readUInt16BE(2), init.toString('latin1', 24)]).toEqual([
    1,
    2,
    'acme_web-1',
  ])
})

test.each([
  { order: 'the default format', format: null, expected: [0, 0, 0, 0, 1, 128, 255, 0] },
  {
    order: 'red first, for noVNC',
    format: [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16],
    expected: [0, 0, 0, 0, 255, 128, 1, 0],
  },
  {
    order: 'big-endian order',
    format: [32, 24, 1, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0],
    expected: [0, 0, 0, 0, 0, 255, 128, 1],
  },
  {
    order: 'sixteen bits',
    format: [16, 16, 0, 1, 0, 31, 0, 63, 0, 31, 11, 5, 0],
    expected: [0, 0, 0, 252],
  },
])('the server sends pixels in $order', ({ format, expected }) => {
  const { answer, greeted } = connect()
  greeted()
  if (format) answer([0, 0, 0, 0, ...format, 0, 0, 0])
  expect(pixels(answer(ask(0)))).toEqual(expected)
})

test('an incremental request is answered once, at the next change', () => {
  const { answer, greeted, change } = connect()
  greeted()
  expect(pixels(answer(ask(1)))).toHaveLength(8)
  expect(answer(ask(1))).toHaveLength(0)
  expect(pixels(change())).toHaveLength(8)
  expect(change()).toHaveLength(0)
  expect(pixels(answer(ask(1)))).toHaveLength(8)
})

test('the server reassembles split messages and ignores unused ones', () => {
  const { answer, greeted, keys } = connect()
  greeted()
  answer([2, 0, 0, 2, 0, 0, 0, 0, 0])
  answer([0, 0, 7, 5, 0, 0, 1, 0, 1, 6, 0, 0, 0, 0, 0, 0, 2, 65, 66, 4, 1, 0, 0, 0])
  answer([0, 0, 97])
  expect(keys).toEqual(['97 true'])
})

test.each([
  ['another protocol', 'GET / HTTP/1.1\r\n'],
  ['an unknown message', [99]],
])('%s ends the connection', (_what, bytes) => {
  const { answer, greeted, isOver } = connect()
  if (typeof bytes !== 'string') greeted()
  answer(bytes)
  expect(isOver()).toBe(true)
})
