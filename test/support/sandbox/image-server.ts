import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'

/** Where a cluster finds images, under any name, and where it finds none. */
export interface Images extends AsyncDisposable {
  origin: string
  missing: string
  /** The paths that were asked for, in their order. */
  readonly asked: string[]
  /** Lets the images that are sent in portions go on by one more. */
  sendPortion(): void
  /** From now on they are sent whole. */
  sendAll(): void
}

const mebibyte = 1024 * 1024
const portions = 8

/** A small disk with the mark of an ISO where it belongs. */
function isoImage(): Buffer {
  const disk = Buffer.alloc(mebibyte, 1)
  disk.write('CD001', 0x8001, 'latin1')
  return disk
}

/** The head of a qcow2 that unfolds to five terabytes. */
function hugeImage(): Buffer {
  const disk = Buffer.alloc(4096)
  disk.write('QFI\xfb', 0, 'latin1')
  disk.writeUInt32BE(3, 4)
  disk.writeBigUInt64BE(5n * 1024n ** 4n, 24)
  return disk
}

/*
 * By the end of the path: `.qcow2` and `.iso` are images, `.slow.iso` one in portions that the test
 * lets go, `.huge.qcow2` one that no disk holds, `.html` a page; everything else is not there, with
 * a canary in the status line.
 */
const bodies: readonly (readonly [end: string, body: () => Buffer])[] = [
  ['.huge.qcow2', hugeImage],
  ['.qcow2', () => Buffer.alloc(mebibyte, 1)],
  ['.iso', isoImage],
  ['.html', () => Buffer.from('<!doctype html><title>Not here</title>')],
]

export const statusCanary = 'Canary-of-the-status-line'

/**
 * A server of a small image on this machine; or the given one, for a cluster that cannot reach this
 * machine.
 */
export async function serveImages(given?: string): Promise<Images> {
  const asked: string[] = []
  const gate = new Gate()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://images')
    asked.push(pathname)
    const body = bodies.find(([end]) => pathname.endsWith(end))?.[1]()
    if (!body) return void response.writeHead(404, statusCanary, { 'content-length': 0 }).end()
    void send({ request, response, body, gate: pathname.endsWith('.slow.iso') ? gate : null })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const origin = given ?? `http://127.0.0.1:${port}`
  return {
    origin,
    missing: `${origin}/nothing`,
    asked,
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

/** Lets through as many as it was opened for. */
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
