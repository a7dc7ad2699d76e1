import { type Duplex } from 'node:stream'
import { FrameReader, ProtocolBreach, frameOf, opcodes } from './frames.ts'

const largestMessageBytes = 4 * 1024 * 1024

export interface SocketListener {
  /** Of a text message too; who does not want texts looks at the kind. */
  message(bytes: Buffer, kind: 'text' | 'binary'): void
  closed(): void
}

/** The server's end of one WebSocket. */
export class WebSocket {
  readonly #stream: Duplex
  readonly #listener: SocketListener
  readonly #reader = new FrameReader(largestMessageBytes)
  #parts: Buffer[] = []
  #partsKind: 'text' | 'binary' | null = null
  #isClosing = false

  constructor(stream: Duplex, listener: SocketListener) {
    this.#stream = stream
    this.#listener = listener
    stream.on('data', (bytes: Buffer) => this.#take(bytes))
    stream.on('error', () => stream.destroy())
    stream.once('end', () => stream.destroy())
    stream.once('close', () => listener.closed())
  }

  /** How much has been sent that the other side has not taken. */
  get waitingBytes(): number {
    return this.#stream.writableLength
  }

  send(bytes: Buffer): void {
    this.#write(opcodes.binary, bytes)
  }

  ping(): void {
    this.#write(opcodes.ping, Buffer.from('keep alive'))
  }

  /** Says goodbye and hangs up without waiting for an answer that nobody needs. */
  close(code = 1000, reason = ''): void {
    if (this.#isClosing) return
    const payload = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)])
    this.#write(opcodes.close, payload)
    this.#isClosing = true
    this.#stream.end(() => this.#stream.destroy())
  }

  /** Hangs up without a word. */
  drop(): void {
    this.#isClosing = true
    this.#stream.destroy()
  }

  #write(opcode: number, payload: Buffer): void {
    if (!this.#isClosing && this.#stream.writable) this.#stream.write(frameOf(opcode, payload))
  }

  #take(bytes: Buffer): void {
    if (this.#isClosing) return
    try {
      for (const { opcode, isFinal, payload } of this.#reader.read(bytes)) {
        if (opcode >= opcodes.close) this.#control(opcode, payload)
        else this.#content(opcode, isFinal, payload)
      }
    } catch (error) {
      if (!(error instanceof ProtocolBreach)) throw error
      this.close(error.code, error.message)
    }
  }

  #control(opcode: number, payload: Buffer): void {
    if (opcode === opcodes.ping) this.#write(opcodes.pong, payload)
    else if (opcode === opcodes.close)
      this.close(payload.length >= 2 ? payload.readUInt16BE() : 1000)
    else if (opcode !== opcodes.pong) throw new ProtocolBreach(1002, 'an unknown control frame')
  }

  #content(opcode: number, isFinal: boolean, payload: Buffer): void {
    const isFirst = opcode !== opcodes.continuation
    if (opcode > opcodes.binary) throw new ProtocolBreach(1002, 'an unknown frame')
    if (isFirst === (this.#partsKind !== null))
      throw new ProtocolBreach(1002, 'a part is out of turn')
    const kind = this.#partsKind ?? (opcode === opcodes.text ? 'text' : 'binary')
    this.#parts.push(payload)
    const whole = this.#parts.reduce((sum, { length }) => sum + length, 0)
    if (whole > largestMessageBytes) throw new ProtocolBreach(1009, 'a message is too large')
    this.#partsKind = isFinal ? null : kind
    if (!isFinal) return
    const bytes = Buffer.concat(this.#parts)
    this.#parts = []
    this.#listener.message(bytes, kind)
  }
}
