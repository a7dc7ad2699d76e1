import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'

/*
 * Confirmed writes survive kill -9 and a power failure. Every write is one line with a checksum in
 * an append-only file, and it is confirmed only after fdatasync. Writes that arrive during a sync
 * share the next one.
 *
 * A compaction first opens a new journal, writes a snapshot beside it and renames it into position.
 * Only then does it remove the replaced files, so after a crash either the old or the new files are
 * complete. A torn last line is an unconfirmed write and is removed. A journal may grow to twice
 * its snapshot, so that the cost of a write does not depend on the number of objects.
 */
export interface JournalEntry<T> {
  version: number
  entry: T
}

export interface JournalOptions<T> {
  folder: string
  compactAfterBytes: number
  /** The entries of a snapshot. Replaying them restores the current state. */
  everything(): Iterable<JournalEntry<T>>
  /** Formats an entry as JSON. */
  textOf(entry: T): string
}

const fileName = (kind: 'journal' | 'snapshot', version: number): string =>
  `${kind}-${String(version).padStart(16, '0')}.jsonl`
const versionOf = (name: string): number => Number(/-(\d+)\.jsonl$/.exec(name)?.[1] ?? -1)

/** Stores the entries of a map durably in one folder. */
export class Journal<T> {
  #file = -1
  #bytes = 0
  #snapshotBytes = 0
  #compacting: Promise<void> | null = null
  #syncing = false
  #unsynced: { done: () => void; failed: (error: Error) => void }[] = []
  readonly #options: JournalOptions<T>

  constructor(options: JournalOptions<T>) {
    this.#options = options
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  }

  /**
   * Replays the snapshot and the journals, removes a torn last line, and opens the journal for
   * writes.
   */
  *load(): Generator<JournalEntry<T>> {
    const names = readdirSync(this.#options.folder)
    for (const name of names.filter((each) => each.endsWith('.tmp')))
      rmSync(join(this.#options.folder, name))
    const snapshot = names
      .filter((name) => /^snapshot-\d+\.jsonl$/.test(name))
      .sort()
      .at(-1)
    const from = snapshot === undefined ? -1 : versionOf(snapshot)
    if (snapshot !== undefined) {
      this.#snapshotBytes = statSync(join(this.#options.folder, snapshot)).size
      yield* this.#read(snapshot)
    }
    const journals = names.filter((name) => /^journal-\d+\.jsonl$/.test(name)).sort()
    for (const name of journals)
      for (const line of this.#read(name)) if (line.version > from) yield line
    this.#openFile(journals.at(-1) ?? fileName('journal', 0))
  }

  /** Writes the line at once. The returned promise resolves when the line is on disk. */
  append(line: JournalEntry<T>): Promise<void> {
    this.#bytes += writeSync(this.#file, this.#encode(line))
    const durable = new Promise<void>((done, failed) => this.#unsynced.push({ done, failed }))
    this.#sync()
    const maxBytes = Math.max(this.#options.compactAfterBytes, 2 * this.#snapshotBytes)
    if (this.#bytes > maxBytes && !this.#compacting) this.#compact(line.version)
    return durable
  }

  async close(): Promise<void> {
    await this.#compacting
    if (this.#file >= 0) closeSync(this.#file)
    this.#file = -1
  }

  #sync(): void {
    if (this.#syncing || this.#unsynced.length === 0) return
    this.#syncing = true
    const waiters = this.#unsynced
    this.#unsynced = []
    fdatasync(this.#file, (error) => {
      this.#syncing = false
      for (const { done, failed } of waiters) {
        if (error) failed(error)
        else done()
      }
      this.#sync()
    })
  }

  #compact(version: number): void {
    const { folder, everything } = this.#options
    const replaced = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    const previous = this.#file
    // The entries are collected now, while the state is exactly `version`. They are immutable, so
    // the snapshot can be written later.
    const entries = [...everything()]
    // Lines that wait for a sync are in the previous file, and later syncs cover only the next one.
    fdatasyncSync(previous)
    this.#openFile(fileName('journal', version))
    this.#compacting = writeSnapshot(join(folder, fileName('snapshot', version)), entries, (line) =>
      this.#encode(line),
    )
      .then((bytes) => {
        this.#snapshotBytes = bytes
        for (const name of replaced) rmSync(join(folder, name), { force: true })
        closeSync(previous)
      })
      // The old files are complete, so the next compaction can try again.
      .catch(() => undefined)
      .finally(() => (this.#compacting = null))
  }

  #encode({ version, entry }: JournalEntry<T>): Buffer {
    const body = `{"version":${version},"entry":${this.#options.textOf(entry)}}`
    const line = Buffer.from(`00000000 ${body}\n`)
    line.write(crc32(line.subarray(9, -1)).toString(16).padStart(8, '0'), 'latin1')
    return line
  }

  #openFile(name: string): void {
    const path = join(this.#options.folder, name)
    this.#file = openSync(path, 'a', 0o600)
    this.#bytes = 0
    syncFolder(this.#options.folder)
  }

  *#read(name: string): Generator<JournalEntry<T>> {
    const path = join(this.#options.folder, name)
    if (!existsSync(path)) return
    const content = readFileSync(path)
    let start = 0
    while (start < content.length) {
      const end = content.indexOf(0x0a, start)
      const line = end < 0 ? null : decode<T>(content.subarray(start, end))
      if (line === null) {
        if (end >= 0 && end < content.length - 1) throw new DamagedJournal(path, start)
        truncateSync(path, start)
        return
      }
      yield line
      start = end + 1
    }
  }
}

/**
 * A damaged line in the middle was confirmed. Continuing without it would silently lose a write.
 */
export class DamagedJournal extends Error {
  constructor(path: string, offset: number) {
    super(
      `${path} is damaged at byte ${offset}; restore it from a copy or move it away to start empty`,
    )
    this.name = 'DamagedJournal'
  }
}

function decode<T>(line: Buffer): JournalEntry<T> | null {
  const body = line.subarray(9)
  if (line.length < 10 || crc32(body) !== Number.parseInt(line.toString('latin1', 0, 8), 16))
    return null
  // The cast holds because the checksum proves that this code wrote the line.
  return JSON.parse(body.toString('utf8')) as JournalEntry<T>
}

/** Writes a snapshot and returns its size in bytes. */
async function writeSnapshot<T>(
  path: string,
  entries: readonly T[],
  encode: (entry: T) => Buffer,
): Promise<number> {
  const file = await open(`${path}.tmp`, 'w', 0o600)
  let bytes = 0
  try {
    for (let start = 0; start < entries.length; start += 200) {
      bytes += (await file.write(Buffer.concat(entries.slice(start, start + 200).map(encode))))
        .bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.tmp`, path)
  syncFolder(dirname(path))
  return bytes
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fdatasync(handle, () => closeSync(handle))
  } catch {
    closeSync(handle)
  }
}

/** Replaces a small file atomically. */
export function replaceFile(path: string, content: string): void {
  const file = openSync(`${path}.tmp`, 'w', 0o600)
  try {
    writeSync(file, content)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.tmp`, path)
}
