import { type IncomingMessage } from 'node:http'
import { type Duplex } from 'node:stream'
import { type Answer } from '../apiserver/request.ts'
import { type Opening, type UpgradeAsk } from '../apiserver/server.ts'
import { type KubeObject } from '../apiserver/types.ts'
import { type Desk } from '../controllers/desk.ts'
import { read } from '../controllers/read.ts'
import { phaseOf } from '../controllers/vms/phase.ts'
import { type Guests, type Line, type LineListener } from '../guests/guest.ts'
import { acceptance, brokenHandshake } from '../websocket/handshake.ts'
import { WebSocket } from '../websocket/socket.ts'
import { type SubHandler, subjectOf } from './call.ts'
import { deny, plain } from './refusals.ts'

type StreamKind = 'console'

interface Place {
  desk: Desk
  visits: Visits
}

/** What a kind of stream needs of its machine, and how it is opened. */
interface Stream {
  check(vmi: KubeObject): void
  open(guests: Guests, id: string, listener: LineListener): Line | null
}

const hasDevice = (vmi: KubeObject, device: string): boolean => read.at(vmi.spec, 'domain', 'devices', device) !== false

function mustRun(vmi: KubeObject): void {
  if (phaseOf(vmi) === 'Failed') throw deny.conflict({ kind: 'virtualmachineinstance', name: vmi.metadata.name }, 'VMI is in failed status')
  if (phaseOf(vmi) !== 'Running') throw deny.badRequest('VMI is not running')
}

const streams: Readonly<Record<StreamKind, Stream>> = {
  console: {
    check(vmi) {
      if (!hasDevice(vmi, 'autoattachSerialConsole')) throw deny.badRequest('No serial consoles are present.')
      mustRun(vmi)
    },
    open: (guests, id, listener) => guests.openSerial(id, listener),
  },
}

/** Who is connected to what. A machine has one serial line and one display, and the last who comes has it. */
export class Visits {
  readonly #open = new Map<string, WebSocket>()

  enter(what: string, socket: WebSocket): void {
    this.#open.get(what)?.drop()
    this.#open.set(what, socket)
  }

  leave(what: string, socket: WebSocket): void {
    if (this.#open.get(what) === socket) this.#open.delete(what)
  }
}

/** What is said to a request that asks for a stream and no upgrade: first what a visitor would be told, then that it is none. */
export const withoutUpgrade =
  (kind: StreamKind): SubHandler =>
  (call) => {
    streams[kind].check(subjectOf(call))
    return badHandshake({ method: 'GET', headers: {} })
  }

const streamPath = /\/namespaces\/([^/]+)\/virtualmachineinstances\/([^/]+)\/(console)$/

/** The connection of a visitor to a machine, or why there is none. */
export function openStream(place: Place, ask: UpgradeAsk): Answer | Opening {
  const [, namespace = '', name = '', kind] = streamPath.exec(ask.path) ?? []
  if (kind !== 'console') return plain(404, '404: Page Not Found')
  const vmi = subjectOf({ desk: place.desk, namespace, subject: { kind: 'virtualmachineinstance', name }, body: ask.body })
  streams[kind].check(vmi)
  if (brokenHandshake(ask.request) !== null) return badHandshake(ask.request)
  return (stream) => connect(place, { kind, vmi, request: ask.request }, stream)
}

function badHandshake(request: Pick<IncomingMessage, 'method' | 'headers'>): Answer {
  const refusal = deny.badRequest(brokenHandshake(request) ?? '')
  return plain(400, `Bad Request\n${JSON.stringify(refusal.body(), null, 1)}`)
}

const protocol = 'plain.kubevirt.io'

/** As much as may wait for a visitor who does not read; a serial line loses what nobody takes. */
const mostWaitingBytes = 1024 * 1024

function connect({ desk, visits }: Place, visit: { kind: StreamKind; vmi: KubeObject; request: IncomingMessage }, stream: Duplex): void {
  const { guests } = desk.world
  const { uid = '' } = visit.vmi.metadata
  const what = `${visit.kind} ${uid}`
  stream.write(acceptance(visit.request, protocol))
  const socket: WebSocket = new WebSocket(stream, {
    message(bytes, kind) {
      if (kind === 'binary') line?.write(bytes)
    },
    closed() {
      line?.close()
      visits.leave(what, socket)
    },
  })
  visits.enter(what, socket)
  const line = guests
    ? streams[visit.kind].open(guests, uid, {
        data(bytes) {
          if (socket.waitingBytes < mostWaitingBytes) socket.send(bytes)
        },
        end: () => socket.drop(),
      })
    : null
  if (!line) socket.drop()
}
