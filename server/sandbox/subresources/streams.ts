import { type IncomingMessage } from 'node:http'
import { type Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Answer } from '../apiserver/request.ts'
import { type StreamHandler, type UpgradeRequest } from '../apiserver/server.ts'
import { type KubeObject } from '../objects/types.ts'
import { clock } from '../clock.ts'
import { type Client } from '../controllers/client.ts'
import { type LineListener } from '../guests/guest.ts'
import { type SubresourceHandler, subjectOf } from './call.ts'
import { brokenHandshake } from './handshake.ts'
import { deny, plain } from './refusals.ts'
import { type StreamRequest, streamKinds } from './stream-kinds.ts'

type Kind = keyof typeof streamKinds

interface StreamContext {
  client: Client
  streams: ActiveStreams
}

interface StreamSession {
  kind: Kind
  streamRequest: StreamRequest
  vmi: KubeObject
  request: IncomingMessage
}

/** The open exclusive streams. A new session disconnects the previous one. */
export class ActiveStreams {
  readonly #open = new Map<string, WebSocket>()

  has = (what: string): boolean => this.#open.has(what)

  add(what: string, socket: WebSocket): void {
    this.#open.get(what)?.terminate()
    this.#open.set(what, socket)
  }

  remove(what: string, socket: WebSocket): void {
    if (this.#open.get(what) === socket) this.#open.delete(what)
  }
}

const streamPath =
  /\/namespaces\/([^/]+)\/(virtualmachines|virtualmachineinstances)\/([^/]+)\/([a-z]+)(?:\/(\d+))?(?:\/(tcp|udp))?$/

/** The kind of stream that the path names. */
function kindAt(path: string): Kind | null {
  const [, , plural, , name = ''] = streamPath.exec(path) ?? []
  if (!Object.hasOwn(streamKinds, name) || (plural === 'virtualmachines' && name !== 'portforward'))
    return null
  // `Object.hasOwn` has checked that the name is a key.
  return name as Kind
}

function instanceAt(client: Client, { path, body }: UpgradeRequest): KubeObject {
  const [, namespace = '', , name = ''] = streamPath.exec(path) ?? []
  return subjectOf({
    client,
    namespace,
    subject: { kind: 'virtualmachineinstance', name },
    body,
    path,
  })
}

/**
 * Answers a stream request without an upgrade: first with the errors of the stream itself, then
 * with a bad handshake.
 */
export const withoutUpgrade =
  (kind: Kind): SubresourceHandler =>
  (call) => {
    const vmi = subjectOf({ ...call, subject: { ...call.subject, kind: 'virtualmachineinstance' } })
    streamKinds[kind].check(
      vmi,
      streamRequestIn(call.path, new URLSearchParams()),
      call.client.world.guests,
    )
    return badHandshake({ method: 'GET', headers: {} })
  }

function streamRequestIn(path: string, query: URLSearchParams): StreamRequest {
  const [, , , , , port = '', protocol = 'tcp'] = streamPath.exec(path) ?? []
  return {
    port: Number(port),
    protocol,
    preservesSession: ['1', 't', 'true'].includes(
      (query.get('preserveSession') ?? '').toLowerCase(),
    ),
  }
}

/** Opens a stream to a VMI, or returns an error response. */
export function openStream(
  context: StreamContext,
  upgrade: UpgradeRequest,
): Answer | StreamHandler {
  const kind = kindAt(upgrade.path)
  if (!kind) return plain(404, '404: Page Not Found')
  const vmi = instanceAt(context.client, upgrade)
  const streamRequest = streamRequestIn(upgrade.path, upgrade.query)
  streamKinds[kind].check(vmi, streamRequest, context.client.world.guests)
  if (
    kind === 'vnc' &&
    streamRequest.preservesSession &&
    context.streams.has(`vnc ${vmi.metadata.uid}`)
  )
    throw deny.internal('dialing virt-handler: Active VNC connection. Request denied.')
  if (brokenHandshake(upgrade.request) !== null) return badHandshake(upgrade.request)
  return (stream) =>
    connect(context, { kind, streamRequest, vmi, request: upgrade.request }, stream)
}

function badHandshake(request: Pick<IncomingMessage, 'method' | 'headers'>): Answer {
  const refusal = deny.badRequest(brokenHandshake(request) ?? '')
  return plain(400, `Bad Request\n${JSON.stringify(refusal.body(), null, 1)}`)
}

const protocol = 'plain.kubevirt.io'
const maxMessageBytes = 4 * 1024 * 1024

const chosenProtocol = (offered: ReadonlySet<string>): string | false =>
  offered.has(protocol) && protocol

/** Upgrades requests to WebSockets. `brokenHandshake` has checked the requests. */
const acceptor = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: maxMessageBytes,
  handleProtocols: chosenProtocol,
})

/** The bytes that may wait for a slow client. Later output is dropped. */
const maxWaitingBytes = 4 * 1024 * 1024
const nothing = Buffer.alloc(0)

function connect(context: StreamContext, session: StreamSession, stream: Duplex): void {
  // The server has put the bytes after the request back into the stream.
  acceptor.handleUpgrade(session.request, stream, nothing, (socket) =>
    join(context, session, socket),
  )
}

function join(
  { client, streams }: StreamContext,
  { kind, streamRequest, vmi }: StreamSession,
  socket: WebSocket,
): void {
  const { guests } = client.world
  const { uid = '' } = vmi.metadata
  const { open, isExclusive } = streamKinds[kind]
  const what = `${kind} ${uid}`
  socket.on('message', (bytes, isBinary) => {
    // With the default binary type 'nodebuffer' every message is one Buffer.
    if (isBinary) line?.write(bytes as Buffer)
  })
  // The library closes a connection that violates the protocol, and reports the reason.
  socket.on('error', () => undefined)
  socket.once('close', () => {
    line?.close()
    stopPings()
    streams.remove(what, socket)
  })
  if (isExclusive) streams.add(what, socket)
  const listener: LineListener = {
    data(bytes) {
      if (socket.bufferedAmount < maxWaitingBytes) socket.send(bytes)
    },
    end: () => socket.terminate(),
  }
  const stopPings = kind === 'portforward' ? pinging(socket) : () => undefined
  const line = guests ? open(guests, uid, { request: streamRequest, listener }) : null
  if (!line) socket.terminate()
}

const pingEveryMs = 1_000

/**
 * Sends pings. KubeVirt does so for port forwarding only, because it proxies consoles without
 * decoding them.
 */
function pinging(socket: WebSocket): () => void {
  let stop = clock.after(pingEveryMs, again)
  function again(): void {
    socket.ping('keep alive')
    stop = clock.after(pingEveryMs, again)
  }
  return () => stop()
}
