import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DamagedJournal, Journal } from './journal.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'berth-journal-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Entry {
  key: string
  value: string | null
}

/** A minimal map that is stored in a journal. */
function openMap(compactAfterBytes = 1_000_000) {
  const map = new Map<string, { value: string; version: number }>()
  let version = 0
  const everything = () =>
    [...map].map(([key, { value, version: at }]) => ({ version: at, entry: { key, value } }))
  const journal = new Journal<Entry>({
    folder,
    compactAfterBytes,
    everything,
    textOf: JSON.stringify,
  })
  const replay = (at: number, { key, value }: Entry): void => {
    version = Math.max(version, at)
    if (value === null) map.delete(key)
    else map.set(key, { value, version: at })
  }
  for (const { version: at, entry } of journal.load()) replay(at, entry)
  return {
    content: () => Object.fromEntries([...map].map(([key, { value }]) => [key, value])),
    close: () => journal.close(),
    write(key: string, value: string | null) {
      const line = { version: version + 1, entry: { key, value } }
      replay(line.version, line.entry)
      return journal.append(line)
    },
  }
}

const filesOf = (kind: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith(kind))
const onlyJournal = (): string => join(folder, filesOf('journal')[0] ?? '')

test('a reopened journal contains all writes and deletions', async () => {
  const first = openMap()
  await Promise.all([first.write('a', '1'), first.write('b', '2'), first.write('a', null)])
  await first.close()
  expect(openMap().content()).toEqual({ b: '2' })
})

test('a torn last line is removed, and later writes succeed', async () => {
  const first = openMap()
  await first.write('a', '1')
  await first.close()
  appendFileSync(onlyJournal(), '1234abcd {"version":2,"entry":{"key":"b"')
  const second = openMap()
  expect(second.content()).toEqual({ a: '1' })
  await second.write('c', '3')
  await second.close()
  expect(openMap().content()).toEqual({ a: '1', c: '3' })
})

test('a damaged line in the middle prevents the start instead of losing confirmed writes', async () => {
  const first = openMap()
  await first.write('a', 'first')
  await first.write('b', 'second')
  await first.close()
  writeFileSync(onlyJournal(), readFileSync(onlyJournal(), 'utf8').replace('first', 'fIrst'))
  expect(() => openMap()).toThrow(DamagedJournal)
})

test('a compaction keeps all entries and leaves one snapshot and one short journal', async () => {
  const first = openMap(4000)
  await first.write('never-touched-again', 'kept')
  for (let index = 0; index < 400; index += 1)
    await first.write(`key-${index % 20}`, `value-${index}`)
  const content = first.content()
  await first.close()
  expect(filesOf('snapshot')).toHaveLength(1)
  expect(filesOf('journal').length).toBeLessThanOrEqual(2)
  expect(openMap(4000).content()).toEqual(content)
})

test('an incomplete snapshot is removed after a crash', async () => {
  const first = openMap()
  await first.write('a', '1')
  await first.close()
  writeFileSync(join(folder, 'snapshot-0000000000000009.jsonl.tmp'), 'half')
  expect(openMap().content()).toEqual({ a: '1' })
  expect(filesOf('snapshot')).toEqual([])
})

test('the journal grows to twice its snapshot before a compaction', async () => {
  const first = openMap(4_000)
  for (let index = 0; index < 1_000; index += 1) await first.write(`key-${index}`, 'x'.repeat(100))
  await first.close()
  const again = openMap(4_000)
  const [snapshot] = filesOf('snapshot')
  const snapshotBytes = statSync(join(folder, snapshot ?? '')).size
  for (let written = 0; written < snapshotBytes; written += 150)
    await again.write('key-0', 'y'.repeat(100))
  await again.close()
  expect(snapshotBytes).toBeGreaterThan(20_000)
  expect(filesOf('snapshot')).toEqual([snapshot])
  expect(openMap(4_000).content()).toEqual(again.content())
})
