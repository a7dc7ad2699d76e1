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

/* Consoles, screens and logs against a server that speaks HTTPS and WebSocket as KubeVirt does. */
const root = '/apis/subresources.kubevirt.io/v1/namespaces/acme/virtualmachineinstances/web-1'
const ref = { namespace: 'acme', vm: 'web-1' }

interface Visit {
  socket: WebSocket
  request: IncomingMessage
  frames: { bytes: Buffer; isBinary: boolean }[]
}

let server: SecureServer
let sockets: WebSocketServer
let transport: Transport
let streams: ClusterStreams
let visits: Visit[] = []
/** What happens at an upgrade; null lets it through. */
let refuse: { status: string; body: string } | null = null
let answer: (response: ServerResponse, path: string) => void = (response) => response.end()
/** What the guest says before anybody asks. */
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
      const visit: Visit = { socket: opened, request, frames: [] }
      // A server's frames are buffers unless it is told otherwise.
      opened.on('message', (bytes: Buffer, isBinary) => visit.frames.push({ bytes, isBinary }))
      if (greeting) opened.send(Buffer.from(greeting))
      visits.push(visit)
    })
  })
})
beforeEach(() => {
  visits = []
  refuse = null
  greeting = ''
  transport = transportTo({ ...server, token: 'let-me-in' })
  streams = guestStreams(transport, systemClock)
})
afterEach(() => {
  for (const { socket } of visits) socket.terminate()
  transport.close()
})
afterAll(async () => {
  sockets.close()
  await server.close()
})

/** Everything that a stream brings, as it comes. */
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

const visit = (index = 0): Visit => visits[index] ?? expect.unreachable()

describe('a console', () => {
  test('carries bytes both ways, in binary frames of the one protocol that KubeVirt speaks', async () => {
    greeting = 'login: '
    const visitor = await streams.openConsole(ref)
    const { text } = reading(visitor)
    await visitor.write(Buffer.from([0, 0xff, 0x0a]))
    visit().socket.send(Buffer.from('\u001b[0mhi', 'latin1'))
    await waitFor(() => text() === 'login: \u001b[0mhi' && visit().frames.length === 1)
    expect(visit().frames).toEqual([{ bytes: Buffer.from([0, 0xff, 0x0a]), isBinary: true }])
    expect(visit().request.url).toBe(`${root}/console`)
    expect(visit().request.headers).toMatchObject({
      'sec-websocket-protocol': 'plain.kubevirt.io',
      authorization: 'Bearer let-me-in',
    })
    visitor.close()
    expect(await visitor.closed).toBe('asked')
  })

  test.each([
    {
      because: 'a goodbye is an end',
      act: ({ socket }: Visit) => socket.close(1000),
      reason: 'ended',
    },
    {
      because: 'a broken connection is a loss',
      act: ({ socket }: Visit) => socket.terminate(),
      reason: 'lost',
    },
  ])('$because, and what was read until then stays read', async ({ act, reason }) => {
    greeting = 'boot'
    const visitor = await streams.openConsole(ref)
    const { text, ended } = reading(visitor)
    await waitFor(() => text() === 'boot')
    act(visit())
    await ended
    expect({ reason: await visitor.closed, text: text() }).toEqual({ reason, text: 'boot' })
    await visitor.write(Buffer.from('too late'))
  })

  test('closing ends whoever reads', async () => {
    const visitor = await streams.openConsole(ref)
    const { ended } = reading(visitor)
    visitor.close()
    await ended
    expect(await visitor.closed).toBe('asked')
    await waitFor(() => visit().socket.readyState === visit().socket.CLOSED)
  })

  test('whoever reads slowly holds the guest back and not our memory', async () => {
    const visitor = await streams.openConsole(ref)
    const sent = 256
    for (let count = 0; count < sent; count += 1) visit().socket.send(Buffer.alloc(65_536))
    let before = -1
    // Until the pipe is full and nothing moves any more.
    await waitFor(() => before === (before = visit().socket.bufferedAmount), { everyMs: 150 })
    expect(before).toBeGreaterThan(0)
    const { length } = reading(visitor)
    await waitFor(() => length() === sent * 65_536)
    visitor.close()
  })

  test.each([
    {
      because: 'no such VM runs',
      status: '404 Not Found',
      body: 'virtualmachineinstance.kubevirt.io "web-1" not found',
      trouble: 'gone',
    },
    {
      because: 'it does not run',
      status: '400 Bad Request',
      body: 'VMI is not running',
      trouble: 'refused',
    },
    {
      because: 'its run failed',
      status: '409 Conflict',
      body: 'VMI is in failed status',
      trouble: 'version_conflict',
    },
    {
      because: 'KubeVirt is away',
      status: '503 Service Unavailable',
      body: '',
      trouble: 'unreachable',
    },
  ])('is refused before it opens: $because', async ({ status, body, trouble }) => {
    refuse = { status, body }
    await expect(streams.openConsole(ref)).rejects.toMatchObject({ trouble })
  })
})

test('a screen throws out whoever came before, unless it is polite', async () => {
  const open = [
    await streams.openScreen(ref, { polite: false }),
    await streams.openScreen(ref, { polite: true }),
  ]
  expect(visits.map(({ request }) => request.url)).toEqual([
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

describe('a guest log', () => {
  test('is followed from the pod in which the guest runs now, also when it is silent at first', async () => {
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
      because: 'ends with the pod',
      end: (response: ServerResponse) => response.end('bye'),
      reason: 'ended',
    },
    {
      because: 'is lost with the connection',
      end: (response: ServerResponse) => response.write('bye', () => response.destroy()),
      reason: 'lost',
    },
  ])('$because', async ({ end, reason }) => {
    withLog(end)
    const log = await streams.followGuestLog(ref, { tailLines: 1 })
    const { text, ended } = reading(log)
    await ended
    expect({ reason: await log.closed, text: text() }).toEqual({ reason, text: 'bye' })
  })

  test('of a VM whose pod is gone is gone', async () => {
    withLog((response) => response.end(), [])
    await expect(streams.followGuestLog(ref, { tailLines: 1 })).rejects.toMatchObject({
      trouble: 'gone',
    })
  })

  test('many that are followed leave room for calls', async () => {
    withLog((response) => response.write('.'))
    const open = await Promise.all(
      Array.from({ length: 80 }, () => streams.followGuestLog(ref, { tailLines: 1 })),
    )
    const call = {
      method: 'GET' as const,
      of: { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' },
    }
    answer = (response) => answerJson(response, 200, {})
    expect(await transport.call(call)).toMatchObject({ status: 200 })
    for (const each of open) each.close()
  })
})
