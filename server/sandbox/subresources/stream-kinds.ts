import { type KubeObject } from '../objects/types.ts'
import { conditionOf } from '../objects/vms/conditions.ts'
import { phaseOf } from '../objects/vms/phase.ts'
import { read } from '../objects/read.ts'
import { type Guests, type Line, type LineListener } from '../guests/guest.ts'
import { type Subject, deny } from './refusals.ts'

/** The parameters of a stream request. */
export interface StreamRequest {
  port: number
  protocol: string
  /** True when an open session must not be disconnected. */
  preservesSession: boolean
}

/** The requirements of a stream, and how it is opened. */
export interface StreamKind {
  /** Throws when the VMI does not offer the stream. */
  check(vmi: KubeObject, request: StreamRequest, guests: Guests | undefined): void
  open(
    guests: Guests,
    id: string,
    session: { request: StreamRequest; listener: LineListener },
  ): Line | null
  /** True when a VMI has only one such stream: one serial console and one display. */
  isExclusive: boolean
}

const subjectFor = (vmi: KubeObject): Subject => ({
  kind: 'virtualmachineinstance',
  name: vmi.metadata.name,
})

function mustHave(vmi: KubeObject, device: string, otherwise: string): void {
  if (read.at(vmi.spec, 'domain', 'devices', device) === false) throw deny.badRequest(otherwise)
}

function mustRun(vmi: KubeObject): void {
  if (phaseOf(vmi) !== 'Running') throw deny.badRequest('VMI is not running')
}

const serial: StreamKind = {
  isExclusive: true,
  check(vmi) {
    mustHave(vmi, 'autoattachSerialConsole', 'No serial consoles are present.')
    if (phaseOf(vmi) === 'Failed') throw deny.conflict(subjectFor(vmi), 'VMI is in failed status')
    mustRun(vmi)
  },
  open: (guests, id, { listener }) => guests.openSerial(id, listener),
}

const display: StreamKind = {
  isExclusive: true,
  check(vmi) {
    mustHave(vmi, 'autoattachGraphicsDevice', 'No graphics devices are present.')
    mustRun(vmi)
  },
  open: (guests, id, { listener }) => guests.openScreen(id, listener),
}

const tunnel: StreamKind = {
  isExclusive: false,
  check(vmi, { port, protocol }, guests) {
    if (conditionOf(vmi, 'Paused')) throw deny.conflict(subjectFor(vmi), 'VMI is paused')
    const [first] = read.maps(read.status(vmi).interfaces)
    if (!first) throw deny.badRequest('no network interfaces are present')
    const isOpen = protocol === 'udp' || guests?.listensOn(vmi.metadata.uid ?? '', port) === true
    const address = `${read.text(first.ipAddress)}:${port}`
    if (!isOpen) throw deny.internal(`dialing VM: dial tcp ${address}: connect: connection refused`)
  },
  open: (guests, id, { request, listener }) =>
    request.protocol === 'udp' ? discard : guests.dial(id, request.port, listener),
}

/** Discards datagrams: no guest listens for UDP, and UDP senders get no error. */
const discard: Line = { write: () => undefined, close: () => undefined }

const usb: StreamKind = {
  isExclusive: false,
  check(vmi) {
    if (read.at(vmi.spec, 'domain', 'devices', 'clientPassthrough') === undefined)
      throw deny.conflict(subjectFor(vmi), 'Not configured with USB Redirection')
    mustRun(vmi)
  },
  open: () => null,
}

const vsock: StreamKind = {
  isExclusive: false,
  check() {
    throw deny.badRequest('VSOCK feature is not enabled')
  },
  open: () => null,
}

/** The streams that virt-api opens to the guest of a VMI, by the name of the subresource. */
export const streamKinds = {
  console: serial,
  vnc: display,
  portforward: tunnel,
  usbredir: usb,
  vsock,
}
