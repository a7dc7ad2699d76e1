import { type ByteStream, type ClusterStreams } from '../../../src/engine/kube/streams/streams.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

export interface GuestVisit {
  stream: ByteStream
  text(): string
  /** Types, and waits until the text is there that was not there before. */
  says(typed: string, answer: string | RegExp): Promise<void>
  /** Presses return until the guest asks for a name: who comes late has missed the prompt. */
  prompted(): Promise<void>
}

/** Somebody at the serial console of a guest of the cluster. */
export async function guestVisit(
  streams: ClusterStreams,
  ref: { namespace: string; vm: string },
): Promise<GuestVisit> {
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
    async prompted() {
      const asked = async (): Promise<boolean> => {
        if (text().endsWith('login: ')) return true
        await stream.write(Buffer.from('\r'))
        return false
      }
      await waitFor(asked, { everyMs: 60, what: 'a login prompt' })
    },
    async says(typed, answer) {
      const before = text().length
      await stream.write(Buffer.from(typed))
      const found = (said: string): boolean =>
        typeof answer === 'string' ? said.includes(answer) : answer.test(said)
      await waitFor(() => found(text().slice(before)), {
        what: `${String(answer)} in ${text().slice(-400)}`,
      })
    },
  }
}
