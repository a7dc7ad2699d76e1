import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { brokenHandshake } from './handshake.ts'
import { WebSocket } from './socket.ts'

/** A client's frame: masked, as RFC 6455 has it. */
function masked(first: number, payload: Buffer): Buffer {
  const mask = Buffer.from([1, 2, 3, 4])
  const content = Buffer.from(payload.map((byte, index) => byte ^ mask[index % 4]!))
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : Buffer.from([0xfe, payload.length >> 8, payload.length & 0xff])
  return Buffer.concat([Buffer.from([first]), length, mask, content])
}

function open() {
  const sent: Buffer[] = []
  const messages: string[] = []
  let isClosed = false
  const stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      sent.push(chunk)
      done()
    },
  })
  const socket = new WebSocket(stream, {
    message: (bytes, kind) => messages.push(`${kind} ${bytes.toString()}`),
    closed: () => (isClosed = true),
  })
  const arrive = async (...parts: Buffer[]): Promise<void> => {
    for (const part of parts) stream.push(part)
    await new Promise((done) => setImmediate(done))
  }
  return { socket, arrive, messages, sent: () => Buffer.concat(sent), isClosed: () => isClosed }
}

const hello = Buffer.from('hello')

test('a message arrives whole, in whatever pieces its bytes come', async () => {
  const { arrive, messages } = open()
  for (const byte of masked(0x82, hello)) await arrive(Buffer.from([byte]))
  expect(messages).toEqual(['binary hello'])
})

test('a message in parts is one message, also with a ping between them', async () => {
  const { arrive, messages, sent } = open()
  await arrive(
    masked(0x01, hello),
    masked(0x89, Buffer.from('?')),
    masked(0x80, Buffer.from(' world')),
  )
  expect(messages).toEqual(['text hello world'])
  expect(sent()).toEqual(Buffer.from([0x8a, 1, 0x3f]))
})

test('long messages have their length in more bytes, both ways', async () => {
  const { arrive, messages, socket, sent } = open()
  const long = Buffer.alloc(300, 'x')
  await arrive(masked(0x82, long))
  expect(messages).toEqual([`binary ${long.toString()}`])
  socket.send(long)
  expect(sent().subarray(0, 4)).toEqual(Buffer.from([0x82, 126, 1, 44]))
})

test.each([
  { because: 'a client must mask', frame: Buffer.from([0x82, 1, 0x41]), code: 1002 },
  { because: 'nobody agreed on extensions', frame: masked(0xc2, hello), code: 1002 },
  { because: 'a control frame has no parts', frame: masked(0x09, hello), code: 1002 },
  {
    because: 'a message must have begun before it goes on',
    frame: masked(0x80, hello),
    code: 1002,
  },
  { because: 'an opcode has no meaning', frame: masked(0x83, hello), code: 1002 },
  {
    because: 'a frame announces more than we take',
    frame: Buffer.from([0x82, 0xff, 0, 0, 0, 0, 1, 0, 0, 0]),
    code: 1009,
  },
])('a connection is closed with $code: $because', async ({ frame, code }) => {
  const { arrive, sent, messages } = open()
  await arrive(frame)
  expect([sent()[0], sent().readUInt16BE(2)]).toEqual([0x88, code])
  expect(messages).toEqual([])
})

test('a goodbye is answered with the same code, and then the connection ends', async () => {
  const { arrive, sent, isClosed } = open()
  await arrive(masked(0x88, Buffer.from([3, 233])))
  expect(sent()).toEqual(Buffer.from([0x88, 2, 3, 233]))
  await new Promise((done) => setImmediate(done))
  expect(isClosed()).toBe(true)
})

const headers = {
  connection: 'keep-alive, Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

test.each([
  [{}, null],
  [{ connection: 'close' }, /'upgrade' token/],
  [{ upgrade: 'h2c' }, /'websocket' token/],
  [{ 'sec-websocket-version': '8' }, /unsupported version/],
  [{ 'sec-websocket-key': 'short' }, /16-byte/],
])('a handshake with %o is refused with %s', (changed, why) => {
  const refusal = brokenHandshake({ method: 'GET', headers: { ...headers, ...changed } })
  if (why === null) expect(refusal).toBeNull()
  else expect(refusal).toMatch(why)
})
