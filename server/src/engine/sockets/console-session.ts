import { type WebSocket } from 'ws'
import { type Clock } from '../../runtime/clock.ts'
import { Carriage, type ConsoleLine } from './console-pipe.ts'

/** Why a console is closed, in words for whoever looked at it. */
export const consoleClosing = {
  goingAway: [1001, 'The server restarts; open the console again.'],
  internal: [1011, 'Something went wrong here; open the console again.'],
  tryLater: [1013, 'The platform does not answer at the moment; try again later.'],
  unauthorized: [4401, 'The ticket was used or has ended; ask for a new one.'],
  forbidden: [4403, 'You may not open this console any more.'],
  gone: [4404, 'The VM is not there any more.'],
  idle: [4408, 'Nothing happened here for a long time.'],
  taken: [4409, 'Somebody else opened this console.'],
  stopped: [4410, 'The VM does not run.'],
  moved: [4411, 'The VM moved or restarts; open the console again.'],
  lost: [4412, 'The connection to the VM was lost; open the console again.'],
  tooMany: [4429, 'Too many consoles are open.'],
} as const

export type ConsoleClosing = keyof typeof consoleClosing

export interface Visit {
  userId: string
  tenantId: string
  /** One visitor at a time has it. */
  seat: string
  open(): Promise<ConsoleLine | ConsoleClosing>
  standing(): Promise<'good' | 'ended' | 'changed'>
  /** Asked when the line has ended without our doing. */
  whyEnded(): Promise<ConsoleClosing>
  leave(): Promise<void>
}

interface VisitorParts {
  socket: WebSocket
  visit: Visit
  limits: { idleMs: number; closeMs: number }
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
}

/**
 * One open console: whoever sits before it, the line into the guest, and how it comes to its end.
 */
export class ConsoleVisitor {
  readonly visit: Visit
  readonly #parts: VisitorParts
  #line: ConsoleLine | null = null
  #carriage: Carriage | null = null
  #isAlive = true
  #heardAtMs: number

  constructor(parts: VisitorParts) {
    this.#parts = parts
    this.visit = parts.visit
    this.#heardAtMs = parts.clock.elapsedMs()
    const { socket } = parts
    socket.on('pong', () => (this.#isAlive = true))
    socket.once('close', () => this.#line?.close())
  }

  get #isOpen(): boolean {
    return this.#parts.socket.readyState === this.#parts.socket.OPEN
  }

  /** Ends with the visit. `seated` is called when the console is this visitor's. */
  async run(seated: () => void): Promise<void> {
    const { socket, visit } = this.#parts
    const line = await visit.open()
    if (typeof line === 'string') return this.end(line)
    try {
      seated()
      await this.#carry(line)
      if (this.#isOpen) this.end(await visit.whyEnded())
    } finally {
      line.close()
      await visit.leave()
      socket.resume()
    }
  }

  end(why: ConsoleClosing): void {
    const { socket, limits, clock } = this.#parts
    closeSocket(socket, why, { clock, closeMs: limits.closeMs })
    this.#line?.close()
  }

  /** Asks for a sign of life. Whom the guest holds back is not listened to, and so not asked. */
  ping(): void {
    const { socket, clock, limits } = this.#parts
    if (clock.elapsedMs() - this.#heardAtMs > limits.idleMs) return this.end('idle')
    if (this.#carriage?.isHeldBack) return
    if (!this.#isAlive) return socket.terminate()
    this.#isAlive = false
    if (this.#isOpen) socket.ping()
  }

  async #carry(line: ConsoleLine): Promise<void> {
    const { socket, clock } = this.#parts
    if (!this.#isOpen) return
    this.#line = line
    this.#carriage = new Carriage({
      socket,
      line,
      heard: () => (this.#heardAtMs = clock.elapsedMs()),
    })
    socket.resume()
    await this.#carriage.run()
  }
}

interface Closing {
  clock: Pick<Clock, 'sleep'>
  closeMs: number
}

export function closeSocket(
  socket: WebSocket,
  why: ConsoleClosing,
  { clock, closeMs }: Closing,
): void {
  if (socket.readyState !== socket.OPEN) return
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  const [code, reason] = consoleClosing[why]
  socket.close(code, reason)
  // Else the answer to the goodbye would not be read.
  socket.resume()
  void clock.sleep(closeMs, gone.signal).then(() => socket.terminate())
}
