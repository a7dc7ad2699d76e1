import { type ClientOptions, WebSocket } from 'ws'
import { waitFor } from '../wait-for.ts'

/** Somebody in front of a console. */
export class ConsolePeer {
  readonly socket: WebSocket
  readonly chunks: Buffer[] = []
  closed: { code: number; reason: string } | null = null

  private constructor(socket: WebSocket) {
    this.socket = socket
    // A peer that sends no fragments receives one buffer per message.
    socket.on('message', (data: Buffer) => this.chunks.push(data))
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }))
    socket.on('error', () => undefined)
  }

  /** Connected: whether the ticket was good shows later. */
  static async open(
    url: string,
    protocols: string[] = ['plain.kubevirt.io'],
    options: ClientOptions = {},
  ): Promise<ConsolePeer> {
    const peer = new ConsolePeer(new WebSocket(url, protocols, options))
    await waitFor(() => peer.socket.readyState === WebSocket.OPEN || peer.closed !== null, {
      what: 'the socket to open',
    })
    return peer
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8')
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text))
  }

  /** Types, and waits until the text is there that was not there before. */
  async says(typed: string, answer: string | RegExp, timeoutMs = 5_000): Promise<void> {
    const before = this.text().length
    this.type(typed)
    const found = (said: string): boolean =>
      typeof answer === 'string' ? said.includes(answer) : answer.test(said)
    const what = `${String(answer)} in ${this.text().slice(-400)}`
    await waitFor(() => found(this.text().slice(before)), { what, timeoutMs })
  }

  /** Presses return until the guest asks for a name: who comes late has missed the prompt. */
  async prompted(): Promise<void> {
    const asked = (): boolean => {
      if (this.text().endsWith('login: ') || this.closed) return true
      this.type('\r')
      return false
    }
    await waitFor(asked, { timeoutMs: 15_000, everyMs: 60, what: 'a login prompt' })
  }

  async closeCode(timeoutMs = 15_000): Promise<number> {
    await waitFor(() => this.closed !== null, { timeoutMs, what: 'the console to close' })
    return this.closed?.code ?? 0
  }

  leave(): void {
    this.socket.terminate()
  }
}
