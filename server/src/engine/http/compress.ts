import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

export type Encoding = 'zstd' | 'br' | 'gzip'

const minBytes = 1_400
const preferredOrder: readonly Encoding[] = ['zstd', 'br', 'gzip']

const compressors: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  zstd: (body) => promisify(zstdCompress)(body),
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => promisify(gzip)(body, { level: 4 }),
}

/**
 * Returns the best encoding that the client accepts. Returns null when there is none or the body is
 * too small to gain.
 */
export function encodingFor(accept: string | undefined, bytes: number): Encoding | null {
  if (accept === undefined || bytes < minBytes) return null
  const offered = new Set(
    accept
      .split(',')
      .map((part) => part.trim())
      .filter((part) => !/;\s*q=0(\.0+)?$/.test(part))
      .map((part) => part.split(';')[0]),
  )
  return preferredOrder.find((encoding) => offered.has(encoding)) ?? null
}

export const compress = (encoding: Encoding, body: Buffer): Promise<Buffer> =>
  compressors[encoding](body)

const compressedBodies = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>()

/** Compresses a static file once per encoding and caches the result as long as the body exists. */
export function compressOnce(encoding: Encoding, body: Buffer): Promise<Buffer> {
  const byEncoding = compressedBodies.getOrInsertComputed(
    body,
    () => new Map<Encoding, Promise<Buffer>>(),
  )
  return byEncoding.getOrInsertComputed(encoding, () => compress(encoding, body))
}
