import { type ClientOptions, WebSocket } from 'ws'
import { waitFor } from '../wait-for.ts'

/** A client of the serial console of a VM, over the WebSocket that Berth offers for it. */
export class ConsoleClient {
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

  /** Connects. When Berth refuses the ticket in the URL, the socket closes later. */
  static async open(
    url: string,
    protocols: string[] = ['plain.kubevirt.io'],
    options: ClientOptions = {},
  ): Promise<ConsoleClient> {
    const client = new ConsoleClient(new WebSocket(url, protocols, options))
    await waitFor(() => client.socket.readyState === WebSocket.OPEN || client.closed !== null, {
      what: 'the socket to open',
    })
    return client
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8')
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text))
  }

  /** Types, and waits until new output contains the answer. */
  async typeAndExpect(typed: string, answer: string | RegExp, timeoutMs = 5_000): Promise<void> {
    const before = this.text().length
    this.type(typed)
    const found = (output: string): boolean =>
      typeof answer === 'string' ? output.includes(answer) : answer.test(output)
    const what = `${String(answer)} in ${this.text().slice(-400)}`
    await waitFor(() => found(this.text().slice(before)), { what, timeoutMs })
  }

  /** Presses return until a login prompt appears. A late client has missed the first prompt. */
  async waitForPrompt(): Promise<void> {
    const isPrompted = (): boolean => {
      if (this.text().endsWith('login: ') || this.closed) return true
      this.type('\r')
      return false
    }
    await waitFor(isPrompted, { timeoutMs: 15_000, everyMs: 60, what: 'a login prompt' })
  }

  async closeCode(timeoutMs = 15_000): Promise<number> {
    await waitFor(() => this.closed !== null, { timeoutMs, what: 'the console to close' })
    return this.closed?.code ?? 0
  }

  leave(): void {
    this.socket.terminate()
  }
}
