import { type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { guestStreams } from '../../../server/src/cluster/vm/guest-streams.ts'
import { type Transport } from '../../../server/src/engine/kube/transport.ts'
import {
  type ClusterStreams,
  type ReadStream,
} from '../../../server/src/engine/kube/streams/streams.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { transportTo } from '../../support/cluster/gateway.ts'
import {
  answerJson,
  type SecureServer,
  secureServer,
} from '../../support/cluster/scripted-server.ts'
import { waitFor } from '../../support/wait-for.ts'

/* Consoles, screens and logs against a server that speaks HTTPS and WebSocket like KubeVirt. */
const root = '/apis/subresources.kubevirt.io/v1/namespaces/acme/virtualmachineinstances/web-1'
const ref = { namespace: 'acme', vm: 'web-1' }

interface Connection {
  socket: WebSocket
  request: IncomingMessage
  frames: { bytes: Buffer; isBinary: boolean }[]
}

let server: SecureServer
let sockets: WebSocketServer
let transport: Transport
let streams: ClusterStreams
let connections: Connection[] = []
/** The refusal of the next upgrade; null accepts it. */
let refuse: { status: string; body: string } | null = null
let answer: (response: ServerResponse, path: string) => void = (response) => response.end()
/** The output that the guest sends before any input. */
let greeting = ''

beforeAll(async () => {
  server = await secureServer(({ url = '' }, response) => answer(response, url.split('?')[0] ?? ''))
  sockets = new WebSocketServer({ noServer: true })
  server.server.on('upgrade', (request: IncomingMessage, socket, head) => {
    if (refuse)
      return void socket.end(
        `HTTP/1.1 ${refuse.status}\r\ncontent-length: ${refuse.body.length}\r\n\r\n${refuse.body}`,
      )
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const connection: Connection = { socket: opened, request, frames: [] }
      // A server socket receives Buffers by default.
      opened.on('message', (bytes: Buffer, isBinary) => connection.frames.push({ bytes, isBinary }))
      if (greeting) opened.send(Buffer.from(greeting))
      connections.push(connection)
    })
  })
})
beforeEach(() => {
  connections = []
  refuse = null
  greeting = ''
  transport = transportTo({ ...server, token: 'let-me-in' })
  streams = guestStreams(transport, systemClock)
})
afterEach(() => {
  for (const { socket } of connections) socket.terminate()
  transport.close()
})
afterAll(async () => {
  sockets.close()
  await server.close()
})

/** Collects every chunk of a stream as it arrives. */
function reading({ bytes }: ReadStream): {
  text: () => string
  length: () => number
  ended: Promise<void>
} {
  const chunks: Uint8Array[] = []
  const read = async (): Promise<void> => {
    for await (const chunk of bytes) chunks.push(chunk)
  }
  return {
    text: () => Buffer.concat(chunks).toString('latin1'),
    length: () => chunks.reduce((sum, { length }) => sum + length, 0),
    ended: read(),
  }
}

const connection = (index = 0): Connection => connections[index] ?? expect.unreachable()

describe('guest console', () => {
  test('a console carries bytes both ways in binary frames of plain.kubevirt.io', async () => {
    greeting = 'login: '
    const guest = await streams.openConsole(ref)
    const { text } = reading(guest)
    await guest.write(Buffer.from([0, 0xff, 0x0a]))
    connection().socket.send(Buffer.from('\u001b[0mhi', 'latin1'))
    await waitFor(() => text() === 'login: \u001b[0mhi' && connection().frames.length === 1)
    expect(connection().frames).toEqual([{ bytes: Buffer.from([0, 0xff, 0x0a]), isBinary: true }])
    expect(connection().request.url).toBe(`${root}/console`)
    expect(connection().request.headers).toMatchObject({
      'sec-websocket-protocol': 'plain.kubevirt.io',
      authorization: 'Bearer let-me-in',
    })
    guest.close()
    expect(await guest.closed).toBe('asked')
  })

  test.each([
    {
      because: 'a close frame ends the console',
      act: ({ socket }: Connection) => socket.close(1000),
      reason: 'ended',
    },
    {
      because: 'a broken connection loses the console',
      act: ({ socket }: Connection) => socket.terminate(),
      reason: 'lost',
    },
  ])('$because, and the reader keeps the bytes received before', async ({ act, reason }) => {
    greeting = 'boot'
    const guest = await streams.openConsole(ref)
    const { text, ended } = reading(guest)
    await waitFor(() => text() === 'boot')
    act(connection())
    await ended
    expect({ reason: await guest.closed, text: text() }).toEqual({ reason, text: 'boot' })
    await guest.write(Buffer.from('too late'))
  })

  test('closing a console ends its reader', async () => {
    const guest = await streams.openConsole(ref)
    const { ended } = reading(guest)
    guest.close()
    await ended
    expect(await guest.closed).toBe('asked')
    await waitFor(() => connection().socket.readyState === connection().socket.CLOSED)
  })

  test("a slow reader pauses the guest and does not fill Berth's memory", async () => {
    const guest = await streams.openConsole(ref)
    const sent = 256
    for (let count = 0; count < sent; count += 1) connection().socket.send(Buffer.alloc(65_536))
    let before = -1
    // Waits until the pipe is full and no more bytes move.
    await waitFor(() => before === (before = connection().socket.bufferedAmount), { everyMs: 150 })
    expect(before).toBeGreaterThan(0)
    const { length } = reading(guest)
    await waitFor(() => length() === sent * 65_536)
    guest.close()
  })

  test.each([
    {
      because: 'the VMI does not exist',
      status: '404 Not Found',
      body: 'virtualmachineinstance.kubevirt.io "web-1" not found',
      trouble: 'gone',
    },
    {
      because: 'the VMI does not run',
      status: '400 Bad Request',
      body: 'VMI is not running',
      trouble: 'refused',
    },
    {
      because: 'the VMI has failed',
      status: '409 Conflict',
      body: 'VMI is in failed status',
      trouble: 'version_conflict',
    },
    {
      because: 'KubeVirt is unavailable',
      status: '503 Service Unavailable',
      body: '',
      trouble: 'unreachable',
    },
  ])('a console is refused before it opens: $because', async ({ status, body, trouble }) => {
    refuse = { status, body }
    await expect(streams.openConsole(ref)).rejects.toMatchObject({ trouble })
  })
})

test('a screen replaces an open session unless the client is polite', async () => {
  const open = [
    await streams.openScreen(ref, { polite: false }),
    await streams.openScreen(ref, { polite: true }),
  ]
  expect(connections.map(({ request }) => request.url)).toEqual([
    `${root}/vnc`,
    `${root}/vnc?preserveSession=true`,
  ])
  for (const each of open) each.close()
})

const instance = {
  metadata: { name: 'web-1', uid: 'run-2', resourceVersion: '9' },
  status: { activePods: { here: 'node-1', there: 'node-0' }, nodeName: 'node-1' },
}
const pod = (name: string, uid: string, nodeName: string) => ({
  metadata: { name, uid, resourceVersion: '1' },
  spec: { nodeName },
  status: { phase: 'Running' },
})

function withLog(
  log: (response: ServerResponse) => void,
  pods = [pod('leaving', 'there', 'node-0'), pod('arrived', 'here', 'node-1')],
): void {
  answer = (response, path) => {
    if (path.endsWith('/virtualmachineinstances/web-1')) return answerJson(response, 200, instance)
    if (path.endsWith('/pods'))
      return answerJson(response, 200, { metadata: { resourceVersion: '9' }, items: pods })
    response.writeHead(200, { 'content-type': 'text/plain' })
    log(response)
  }
}

describe('guest log', () => {
  test('a guest log follows the pod in which the guest runs now, even when it is silent at first', async () => {
    let say: (text: string) => void = () => undefined
    withLog((response) => (say = (text) => response.write(text)))
    server.requests.length = 0
    const log = await streams.followGuestLog(ref, { tailLines: 100 })
    const { text } = reading(log)
    say('one\n')
    await waitFor(() => text() === 'one\n')
    say('two\n')
    await waitFor(() => text() === 'one\ntwo\n')
    const [, pods = '', read = ''] = server.requests.map(({ path }) => path)
    expect(new URLSearchParams(pods.split('?')[1]).get('labelSelector')).toBe(
      'kubevirt.io=virt-launcher,kubevirt.io/created-by=run-2',
    )
    expect(read).toBe(
      '/api/v1/namespaces/acme/pods/arrived/log?container=guest-console-log&follow=true&tailLines=100',
    )
    log.close()
    expect(await log.closed).toBe('asked')
  })

  test.each([
    {
      because: 'a guest log ends with its pod',
      end: (response: ServerResponse) => response.end('bye'),
      reason: 'ended',
    },
    {
      because: 'a guest log is lost with its connection',
      end: (response: ServerResponse) => response.write('bye', () => response.destroy()),
      reason: 'lost',
    },
  ])('$because, and the reader keeps its text', async ({ end, reason }) => {
    withLog(end)
    const log = await streams.followGuestLog(ref, { tailLines: 1 })
    const { text, ended } = reading(log)
    await ended
    expect({ reason: await log.closed, text: text() }).toEqual({ reason, text: 'bye' })
  })

  test('a guest log answers gone when the VM has no pod', async () => {
    withLog((response) => response.end(), [])
    await expect(streams.followGuestLog(ref, { tailLines: 1 })).rejects.toMatchObject({
      trouble: 'gone',
    })
  })

  test('many followed guest logs leave room for other calls', async () => {
    withLog((response) => response.write('.'))
    const open = await Promise.all(
      Array.from({ length: 80 }, () => streams.followGuestLog(ref, { tailLines: 1 })),
    )
    const call = {
      method: 'GET' as const,
      of: { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', verbs: [] },
    }
    answer = (response) => answerJson(response, 200, {})
    expect(await transport.call(call)).toMatchObject({ status: 200 })
    for (const each of open) each.close()
  })
})
