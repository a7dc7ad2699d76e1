import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

export type Encoding = 'zstd' | 'br' | 'gzip'

const worthwhileBytes = 1_400
const order: readonly Encoding[] = ['zstd', 'br', 'gzip']

const squeeze: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  zstd: (body) => promisify(zstdCompress)(body),
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => promisify(gzip)(body, { level: 4 }),
}

/**
 * The best encoding that the client takes; null when none, or when the body is too small to gain.
 */
export function encodingFor(accept: string | undefined, bytes: number): Encoding | null {
  if (accept === undefined || bytes < worthwhileBytes) return null
  const offered = new Set(
    accept
      .split(',')
      .map((part) => part.trim())
      .filter((part) => !/;\s*q=0(\.0+)?$/.test(part))
      .map((part) => part.split(';')[0]),
  )
  return order.find((encoding) => offered.has(encoding)) ?? null
}

export const compress = (encoding: Encoding, body: Buffer): Promise<Buffer> =>
  squeeze[encoding](body)

const packed = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

/** For a body that is there as long as we are, and the same for everybody: a file. */
export function compressOnce(encoding: Encoding, body: Buffer): Promise<Buffer> {
  const known = packed.getOrInsertComputed(body, () => new Map<Encoding, Promise<Buffer>>())
  return known.getOrInsertComputed(encoding, () => compress(encoding, body))
}
