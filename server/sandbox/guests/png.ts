import { crc32, deflateSync } from 'node:zlib'
import { type Picture } from './guest.ts'

/** Encodes a picture of a guest's screen as a PNG with 8 bits per colour. */
export function pngOf({ width, height, rgb }: Picture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (1 + 3 * width))
  // Every row begins with its filter type. Zero means no filter.
  for (let row = 0; row < height; row += 1)
    rgb.copy(rows, row * (1 + 3 * width) + 1, row * 3 * width, (row + 1) * 3 * width)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
