import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { clock } from '../../clock.ts'
import { type LineListener, type SerialLog } from '../guest.ts'

const maxBytes = 256 * 1024
const flushAfterMs = 200

/**
 * The newest serial output of a simulated guest, in memory and in a file so that it survives a
 * restart.
 */
export class StoredLog implements SerialLog {
  readonly #path: string
  readonly #listeners = new Set<LineListener>()
  #chunks: Buffer[] = []
  #length = 0
  #unflushed: Buffer[] = []
  #fileBytes = 0
  #cancel: (() => void) | null = null

  constructor(path: string) {
    this.#path = path
    if (!existsSync(path)) return
    const old = readFileSync(path)
    this.#fileBytes = old.length
    this.#append(old.subarray(-maxBytes))
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  bytes(): Buffer {
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all.subarray(-maxBytes)
  }

  follow(listener: LineListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  write(bytes: Buffer): void {
    this.#append(bytes)
    this.#unflushed.push(bytes)
    this.#cancel ??= clock.after(flushAfterMs, () => this.flush())
    for (const listener of [...this.#listeners]) listener.data(bytes)
  }

  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    const unwritten = Buffer.concat(this.#unflushed)
    this.#unflushed = []
    if (unwritten.length === 0) return
    this.#fileBytes += unwritten.length
    // The file may grow to twice the limit, so that not every line rewrites it.
    if (this.#fileBytes <= 2 * maxBytes)
      return appendFileSync(this.#path, unwritten, { mode: 0o600 })
    const all = this.bytes()
    this.#fileBytes = all.length
    writeFileSync(this.#path, all, { mode: 0o600 })
  }

  /** Ends the log: flushes it and notifies its listeners. */
  end(): void {
    this.flush()
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener.end()
  }

  remove(): void {
    this.#unflushed = []
    this.end()
    rmSync(this.#path, { force: true })
  }

  #append(bytes: Buffer): void {
    this.#chunks.push(bytes)
    this.#length += bytes.length
    if (this.#length <= 2 * maxBytes) return
    this.#chunks = [this.bytes()]
    this.#length = this.#chunks[0]?.length ?? 0
  }
}
