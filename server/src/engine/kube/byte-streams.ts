import { type IncomingMessage } from 'node:http'
import { type Duplex, type Readable } from 'node:stream'
import { createWebSocketStream, type WebSocket } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { type ByteStream, type CloseReason, type ReadStream } from './streams/streams.ts'

const pingEveryMs = 20_000

/**
 * Nothing in between keeps a quiet console alive but pings of ours; one that is not answered until
 * the next is the end.
 */
export function socketStream(socket: WebSocket, clock: Clock): ByteStream {
  const duplex = createWebSocketStream(socket)
  let isAsked = false
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
      done(isAsked ? 'asked' : code === abnormal ? 'lost' : 'ended')
    })
  })
  return {
    bytes: untilEnd(duplex),
    closed,
    write: (bytes) => written(duplex, bytes),
    close() {
      isAsked = true
      duplex.destroy()
      socket.terminate()
    },
  }
}

/** What a close is called that came without a close frame. */
const abnormal = 1006

/** Of an answer that may come much later, when there is something to tell. */
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

function endOf(response: IncomingMessage, asked: AbortSignal): Promise<CloseReason> {
  // A guest may be silent for hours: that the connection is dead only the system can tell.
  response.socket.setKeepAlive(true, pingEveryMs)
  const reason = (): CloseReason => (asked.aborted ? 'asked' : response.complete ? 'ended' : 'lost')
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
  // Errors have their place in `closed`; without a listener one after the reader has gone would end
  // the process.
  stream.on('error', () => undefined)
  try {
    // Without an encoding a stream yields buffers only.
    for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk
  } catch {
    // Told by `closed`.
  }
}

function written(duplex: Duplex, bytes: Uint8Array): Promise<void> {
  if (duplex.destroyed || duplex.writableEnded) return Promise.resolve()
  return new Promise((done) => duplex.write(bytes, () => done()))
}
