import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { clock } from '../../clock.ts'
import { type LineListener, type SerialLog } from '../guest.ts'

const keptBytes = 256 * 1024
const flushAfterMs = 200

/**
 * What a guest wrote to its serial line, the newest part of it also in a file, so that it goes on
 * there after a restart.
 */
export class KeptLog implements SerialLog {
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
    this.#keep(old.subarray(-keptBytes))
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  bytes(): Buffer {
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all.subarray(-keptBytes)
  }

  follow(listener: LineListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  write(bytes: Buffer): void {
    this.#keep(bytes)
    this.#unflushed.push(bytes)
    this.#cancel ??= clock.after(flushAfterMs, () => this.flush())
    for (const listener of [...this.#listeners]) listener.data(bytes)
  }

  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    const news = Buffer.concat(this.#unflushed)
    this.#unflushed = []
    if (news.length === 0) return
    this.#fileBytes += news.length
    // Twice as much is let stand, so that not every line writes the whole file again.
    if (this.#fileBytes <= 2 * keptBytes) return appendFileSync(this.#path, news, { mode: 0o600 })
    const all = this.bytes()
    this.#fileBytes = all.length
    writeFileSync(this.#path, all, { mode: 0o600 })
  }

  /** Nothing more comes. */
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

  #keep(bytes: Buffer): void {
    this.#chunks.push(bytes)
    this.#length += bytes.length
    if (this.#length <= 2 * keptBytes) return
    this.#chunks = [this.bytes()]
    this.#length = this.#chunks[0]?.length ?? 0
  }
}
