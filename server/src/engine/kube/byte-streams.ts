import { type IncomingMessage } from 'node:http'
import { type Duplex, type Readable } from 'node:stream'
import { createWebSocketStream, type WebSocket } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { type ByteStream, type CloseReason, type ReadStream } from './streams/streams.ts'

const pingEveryMs = 20_000

/**
 * Turns a WebSocket into a stream. Only pings keep a quiet console alive through proxies; a ping
 * that is not answered before the next one ends the stream.
 */
export function socketStream(socket: WebSocket, clock: Clock): ByteStream {
  const duplex = createWebSocketStream(socket)
  let isClosedHere = false
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const pings = clock.every(pingEveryMs, () => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  })
  const closed = new Promise<CloseReason>((done) => {
    socket.once('close', (code) => {
      void pings.stop()
      done(isClosedHere ? 'asked' : code === abnormalClosure ? 'lost' : 'ended')
    })
  })
  return {
    bytes: untilEnd(duplex),
    closed,
    write: (bytes) => written(duplex, bytes),
    close() {
      isClosedHere = true
      duplex.destroy()
      socket.terminate()
    },
  }
}

/** The close code of a connection that ended without a close frame. */
const abnormalClosure = 1006

/** Turns a response into a stream. The response may arrive much later, when there is data. */
export function responseStream(
  opening: Promise<IncomingMessage>,
  stopping: AbortController,
): ReadStream {
  return {
    bytes: onceOpened(opening),
    closed: opening.then(
      (response) => endOf(response, stopping.signal),
      () => (stopping.signal.aborted ? 'asked' : 'lost'),
    ),
    close: () => stopping.abort(),
  }
}

function endOf(response: IncomingMessage, stopSignal: AbortSignal): Promise<CloseReason> {
  // A guest may be silent for hours. Only TCP keep-alive detects a dead connection.
  response.socket.setKeepAlive(true, pingEveryMs)
  const reason = (): CloseReason =>
    stopSignal.aborted ? 'asked' : response.complete ? 'ended' : 'lost'
  return new Promise((done) => {
    if (response.closed) done(reason())
    else response.once('close', () => done(reason()))
  })
}

async function* onceOpened(opening: Promise<IncomingMessage>): AsyncGenerator<Uint8Array> {
  const response = await opening.catch(() => null)
  if (response) yield* untilEnd(response)
}

async function* untilEnd(stream: Readable): AsyncGenerator<Uint8Array> {
  // `closed` reports errors. Without a listener an error after the reader has left would end the
  // process.
  stream.on('error', () => undefined)
  try {
    // A stream without an encoding yields only buffers.
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk
  } catch {
    // `closed` reports the error.
  }
}

function written(duplex: Duplex, bytes: Uint8Array): Promise<void> {
  if (duplex.destroyed || duplex.writableEnded) return Promise.resolve()
  return new Promise((done) => duplex.write(bytes, () => done()))
}
