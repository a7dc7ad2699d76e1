import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { dirname } from 'node:path'
import { rootCertificates } from 'node:tls'
import { detectDisk } from './image.ts'

/*
 * Downloads an image and stores it as the content of a volume. Images larger than `storedBytes` are
 * read and measured to the end, but only their beginning is stored. A `.json` file beside that
 * part records size and hash.
 *
 * An interrupted or refused download leaves a `.part` file, which the next one overwrites.
 */
export interface DownloadOptions {
  url: string
  /** The file of the content; null stores nothing. */
  path: string | null
  limitBytes: number
  /** PEM certificates that are trusted in addition to the system's. */
  certificates: readonly string[]
  isInsecure: boolean
  checksum: string | null
  signal: AbortSignal
}

const storedBytes = 2 ** 28
const headBytes = 512 * 72
const maxRedirects = 10

class ImportFailure extends Error {}

const connectionError = (why: string): ImportFailure =>
  new ImportFailure(`Unable to connect to http data source: ${why}`)
const processingError = (why: string): ImportFailure =>
  new ImportFailure(`Unable to process data: ${why}`)

export async function download(
  options: DownloadOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const response = await follow(options, options.url, maxRedirects)
  const total = Number(response.headers['content-length'] ?? 0)
  const hash = createHash(options.checksum?.split(':')[0]?.toLowerCase() ?? 'sha256')
  const { bytes, head } = await readAll(response, options.path, (chunk, done) => {
    hash.update(chunk)
    if (total > 0) onProgress(done / total)
  })
  const sum = hash.digest('hex')
  validate(options, detectDisk(head, bytes, new URL(options.url).pathname), sum)
  if (options.path !== null) await storeContent(options.path, { bytes, sum })
}

async function readAll(
  response: IncomingMessage,
  path: string | null,
  onChunk: (chunk: Buffer, bytes: number) => void,
): Promise<{ bytes: number; head: Buffer }> {
  const part = path === null ? null : await openPart(path)
  const read = { bytes: 0, head: Buffer.alloc(0) }
  try {
    for await (const piece of response) {
      // No encoding is set on the response, so its chunks are buffers.
      const chunk = piece as Buffer
      if (read.head.length < headBytes)
        read.head = Buffer.concat([read.head, chunk.subarray(0, headBytes - read.head.length)])
      if (read.bytes < storedBytes) await part?.write(chunk, 0, chunk.length, read.bytes)
      read.bytes += chunk.length
      onChunk(chunk, read.bytes)
    }
    return read
  } catch (error) {
    throw processingError(error instanceof Error ? error.message : String(error))
  } finally {
    await part?.close()
  }
}

function validate(
  { checksum, limitBytes }: DownloadOptions,
  disk: { virtualBytes: number } | string,
  sum: string,
): void {
  if (checksum !== null && checksum.split(':')[1]?.toLowerCase() !== sum) {
    throw processingError(`checksum mismatch: expected ${checksum.split(':')[1]}, got ${sum}`)
  }
  if (typeof disk === 'string') throw processingError(disk)
  if (disk.virtualBytes > limitBytes) {
    throw processingError(
      `Virtual image size ${disk.virtualBytes} is larger than the reported available storage ${limitBytes}. A larger PVC is required.`,
    )
  }
}

async function openPart(path: string): ReturnType<typeof open> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return open(`${path}.part`, 'w', 0o600)
}

async function storeContent(
  path: string,
  { bytes, sum }: { bytes: number; sum: string },
): Promise<void> {
  if (bytes > storedBytes)
    await writeFile(`${path}.json`, JSON.stringify({ bytes, sum }), { mode: 0o600 })
  else await rm(`${path}.json`, { force: true })
  await rename(`${path}.part`, path)
}

async function follow(
  options: DownloadOptions,
  url: string,
  redirects: number,
): Promise<IncomingMessage> {
  const response = await get(options, url)
  const { statusCode = 0, headers } = response
  if (statusCode === 200) return response
  response.resume()
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    if (redirects === 0)
      throw connectionError(`Get "${url}": stopped after ${maxRedirects} redirects`)
    return follow(options, new URL(headers.location, url).href, redirects - 1)
  }
  throw connectionError(
    `expected status code 200, got ${statusCode}. Status: ${statusCode} ${response.statusMessage}`,
  )
}

function get(options: DownloadOptions, url: string): Promise<IncomingMessage> {
  const { signal, certificates, isInsecure } = options
  return new Promise((done, failed) => {
    const trust = certificates.length > 0 ? { ca: [...rootCertificates, ...certificates] } : {}
    const request = url.startsWith('https:')
      ? getHttps(url, { signal, rejectUnauthorized: !isInsecure, ...trust }, done)
      : getHttp(url, { signal }, done)
    request.setTimeout(60_000, () =>
      request.destroy(connectionError(`Get "${url}": context deadline exceeded`)),
    )
    request.once('error', (error) =>
      failed(
        error instanceof ImportFailure ? error : connectionError(`Get "${url}": ${error.message}`),
      ),
    )
  })
}
