import { type ByteStream } from '../../../server/src/engine/kube/streams/streams.ts'
import { waitFor } from '../wait-for.ts'

/** A client of a VM's screen, as a test uses it. */
export interface RfbClient {
  hello(): Promise<{ width: number; height: number }>
  /** The whole screen in the default pixel format. */
  picture(): Promise<Buffer>
  /** Presses and releases a key. */
  key(symbol: number): Promise<void>
}

/** A minimal RFB client that reads screens in the Raw encoding. */
export function rfbClient(stream: ByteStream): RfbClient {
  let received = Buffer.alloc(0)
  let size = { width: 0, height: 0 }
  const read = async (): Promise<void> => {
    for await (const bytes of stream.bytes) received = Buffer.concat([received, bytes])
  }
  void read()
  const take = async (length: number): Promise<Buffer> => {
    await waitFor(() => received.length >= length, { what: `${length} bytes of RFB` })
    const taken = received.subarray(0, length)
    received = received.subarray(length)
    return taken
  }
  return {
    async hello() {
      const version = await take(12)
      await stream.write(version)
      const kinds = await take(2)
      await stream.write(kinds.subarray(1))
      await take(4)
      await stream.write(Buffer.from([1]))
      const init = await take(24)
      await take(init.readUInt32BE(20))
      size = { width: init.readUInt16BE(0), height: init.readUInt16BE(2) }
      return size
    },
    async picture() {
      const ask = Buffer.alloc(10)
      ask[0] = 3
      ask.writeUInt16BE(size.width, 6)
      ask.writeUInt16BE(size.height, 8)
      await stream.write(ask)
      await take(16)
      return take(size.width * size.height * 4)
    },
    async key(symbol) {
      for (const isDown of [1, 0]) {
        const event = Buffer.alloc(8)
        event[0] = 4
        event[1] = isDown
        event.writeUInt32BE(symbol, 4)
        await stream.write(event)
      }
    },
  }
}
