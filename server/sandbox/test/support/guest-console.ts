import { type ByteStream, type ClusterStreams } from '../../../src/engine/kube/streams/streams.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/** The open serial console of a guest, as a test uses it. */
export interface GuestConsole {
  stream: ByteStream
  text(): string
  /** Types text, and waits for the reply in the output that follows. */
  expectReply(typed: string, reply: string | RegExp): Promise<void>
  /**
   * Presses return until the login prompt appears. A client that connects late has missed the first
   * prompt.
   */
  waitForLogin(): Promise<void>
}

/** Opens the serial console of a guest. */
export async function openGuestConsole(
  streams: ClusterStreams,
  ref: { namespace: string; vm: string },
): Promise<GuestConsole> {
  const stream = await streams.openConsole(ref)
  const chunks: Uint8Array[] = []
  const read = async (): Promise<void> => {
    for await (const chunk of stream.bytes) chunks.push(chunk)
  }
  void read()
  const text = (): string => Buffer.concat(chunks).toString('utf8')
  return {
    stream,
    text,
    async waitForLogin() {
      const isPrompted = async (): Promise<boolean> => {
        if (text().endsWith('login: ')) return true
        await stream.write(Buffer.from('\r'))
        return false
      }
      await waitFor(isPrompted, { everyMs: 60, what: 'the login prompt' })
    },
    async expectReply(typed, reply) {
      const before = text().length
      await stream.write(Buffer.from(typed))
      const matches = (output: string): boolean =>
        typeof reply === 'string' ? output.includes(reply) : reply.test(output)
      await waitFor(() => matches(text().slice(before)), {
        what: `${String(reply)} in ${text().slice(-400)}`,
      })
    },
  }
}
