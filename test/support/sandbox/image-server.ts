import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'

/** A server of disk images under any name. */
export interface Images extends AsyncDisposable {
  origin: string
  missing: string
  /** The requested paths, in their order. */
  readonly requests: string[]
  /** Sends one more portion of a slow image. */
  sendPortion(): void
  /** Sends slow images without pauses from now on. */
  sendAll(): void
}

const mebibyte = 1024 * 1024
const portions = 8

/** A small disk with the ISO 9660 signature at its position. */
function isoImage(): Buffer {
  const disk = Buffer.alloc(mebibyte, 1)
  disk.write('CD001', 0x8001, 'latin1')
  return disk
}

/** The header of a qcow2 image with a virtual size of five tebibytes. */
function hugeImage(): Buffer {
  const disk = Buffer.alloc(4096)
  disk.write('QFI\xfb', 0, 'latin1')
  disk.writeUInt32BE(3, 4)
  disk.writeBigUInt64BE(5n * 1024n ** 4n, 24)
  return disk
}

/*
 * The suffix of the path decides: `.qcow2` and `.iso` are images, `.huge.qcow2` is larger than any
 * disk, `.html` is a page. A `.slow.iso` is sent in portions that the test releases. Any other
 * path is answered with 404 and a canary in the status line.
 */
const bodies: readonly (readonly [end: string, body: () => Buffer])[] = [
  ['.huge.qcow2', hugeImage],
  ['.qcow2', () => Buffer.alloc(mebibyte, 1)],
  ['.iso', isoImage],
  ['.html', () => Buffer.from('<!doctype html><title>Not here</title>')],
]

export const statusCanary = 'Canary-of-the-status-line'

/**
 * Starts an image server. A cluster that cannot reach this computer gets the external origin
 * instead.
 */
export async function serveImages(externalOrigin?: string): Promise<Images> {
  const requests: string[] = []
  const gate = new Gate()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://images')
    requests.push(pathname)
    const body = bodies.find(([end]) => pathname.endsWith(end))?.[1]()
    if (!body) return void response.writeHead(404, statusCanary, { 'content-length': 0 }).end()
    void send({ request, response, body, gate: pathname.endsWith('.slow.iso') ? gate : null })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const origin = externalOrigin ?? `http://127.0.0.1:${port}`
  return {
    origin,
    missing: `${origin}/nothing`,
    requests,
    sendPortion: () => gate.open(1),
    sendAll: () => gate.open(Infinity),
    async [Symbol.asyncDispose]() {
      gate.open(Infinity)
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

interface Sending {
  request: IncomingMessage
  response: ServerResponse
  body: Buffer
  gate: Gate | null
}

async function send({ request, response, body, gate }: Sending): Promise<void> {
  response.writeHead(200, { 'content-length': body.length })
  if (request.method === 'HEAD' || !gate)
    return void response.end(request.method === 'HEAD' ? undefined : body)
  const size = Math.ceil(body.length / portions)
  for (let at = 0; at < body.length && !response.destroyed; at += size) {
    response.write(body.subarray(at, at + size))
    await gate.pass()
  }
  response.end()
}

/** Lets as many callers pass as it was opened for. */
class Gate {
  #open = 0
  #waiting: (() => void)[] = []

  open(count: number): void {
    this.#open += count
    while (this.#open > 0 && this.#waiting.length > 0) {
      this.#open -= 1
      this.#waiting.shift()?.()
    }
  }

  async pass(): Promise<void> {
    if (this.#open > 0) this.#open -= 1
    else await new Promise<void>((done) => this.#waiting.push(done))
  }
}
