/*
 * Generates load in a separate process: raw sockets with keep-alive and one request at a time on
 * each. Responses are split by content-length only, because a parser would cost more than the
 * measured programs.
 */
import { type Socket, connect } from 'node:net'
import { serveRequests } from '../process/channel.ts'
import { percentile } from '../numbers.ts'

/** A load to generate: the request, the number of connections and the duration. */
export interface Load {
  port: number
  /** The whole request as text. `########` is replaced by a different number each time. */
  request: string
  connections: number
  seconds: number
}

export interface LoadResult {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The size of one response with its head. */
  bytes: number
}

const endOfHead = Buffer.from('\r\n\r\n')

async function run({ port, request, connections, seconds }: Load): Promise<LoadResult> {
  const times: number[] = []
  const text = texts(request)
  const started = performance.now()
  const deadline = started + seconds * 1_000
  const bytes = await Promise.all(
    Array.from({ length: connections }, () => drive({ port, text, deadline, times })),
  )
  const took = performance.now() - started
  times.sort((a, b) => a - b)
  return {
    requests: times.length,
    perSecond: times.length / (took / 1_000),
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    bytes: bytes[0] ?? 0,
  }
}

let requestNumber = 0

function texts(request: string): Drive['text'] {
  const same = Buffer.from(request)
  return request.includes('########')
    ? () => request.replace('########', String(++requestNumber).padStart(8, '0'))
    : () => same
}

interface Drive {
  port: number
  text: () => string | Buffer
  deadline: number
  times: number[]
}

/**
 * Sends the next request as soon as a response is complete, until the deadline. Resolves with the
 * size of a response.
 */
function drive({ port, text, deadline, times }: Drive): Promise<number> {
  return new Promise((resolve, reject) => {
    let sentAtMs = 0
    let missing = 0
    let size = 0
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const send = (): void => {
      sentAtMs = performance.now()
      socket.write(text())
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      if (missing === 0) {
        size = sizeOf(chunk)
        missing = size
      }
      missing -= chunk.length
      if (missing > 0) return
      const now = performance.now()
      times.push(now - sentAtMs)
      if (now < deadline) return send()
      resolve(size)
      socket.destroy()
    })
  })
}

/** Returns the size of the response. Both programs send the whole head in the first packet. */
function sizeOf(chunk: Buffer): number {
  const headBytes = chunk.indexOf(endOfHead) + endOfHead.length
  const head = chunk.toString('latin1', 0, headBytes)
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
  if (!head.startsWith('HTTP/1.1 200') || length === undefined)
    throw new Error(`unexpected answer:\n${chunk.toString('latin1', 0, 1_000)}`)
  // GraphQL refusals have status 200.
  if (chunk.toString('latin1', headBytes, headBytes + 10).startsWith('{"errors"'))
    throw new Error(chunk.toString('utf8', headBytes))
  return headBytes + Number(length)
}

serveRequests({}, (load: Load) => run(load))
