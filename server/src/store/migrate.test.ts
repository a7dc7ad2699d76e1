import { expect, test } from 'vitest'
import {
  type Migration,
  checksumOf,
  pendingMigrations,
  worksFrom,
} from '../engine/database/run-migrations.ts'
import { migrationFiles } from './migrate.ts'

const names = migrationFiles().map(({ name }) => name)

test('every migration is named by four digits and words', () => {
  expect(names.filter((name) => !/^\d{4}(-[a-z0-9]+)+$/.test(name))).toEqual([])
})

test('no two migrations have the same number', () => {
  const numbers = names.map((name) => name.slice(0, 4))
  expect(numbers).toEqual([...new Set(numbers)])
})

test('migrations run in the order of their names', () => {
  expect(names).toEqual(names.toSorted())
  expect(names[0]).toBe('0001-foundation')
})

test('a migration keeps the line limits that hold for code', () => {
  const tooLong = migrationFiles().flatMap(({ name, sql }) => {
    const lines = sql.split('\n')
    return lines.length > 400 || lines.some((line) => line.length > 100) ? [name] : []
  })
  expect(tooLong).toEqual([])
})

test('a session name has room for the name of every migration', () => {
  const roomForNames = 63 - 'berth '.length
  expect(names.filter((name) => name.length > roomForNames)).toEqual([])
})

test('every newer migration says which builds work with it, and one of the list says it', () => {
  const newer = migrationFiles().filter(({ name }) => name > '0019-second-factor')
  expect(newer.filter(({ sql }) => !sql.startsWith('-- works_from: '))).toEqual([])
  expect(newer.map(worksFrom).filter((name) => !names.includes(name))).toEqual([])
})

const file = (name: string, sql = `select '${name}'`): Migration => ({ name, sql })
const ran = (migration: Migration) => ({
  name: migration.name,
  checksum: checksumOf(migration),
  worksFrom: worksFrom(migration),
})
const [a, b, c] = [file('0001-a'), file('0002-b'), file('0003-c')]
const files = [a, b, c]

test.for([
  { because: 'an empty database needs all', ledger: [], pending: files },
  { because: 'a database of the last build needs the new ones', ledger: [a, b], pending: [c] },
  { because: 'a database of this build needs none', ledger: files, pending: [] },
  {
    because: 'a database of a newer build that still suits this one needs none',
    ledger: [...files, file('0004-d', '-- works_from: 0003-c')],
    pending: [],
  },
])('migrations that have not run are pending: $because', ({ ledger, pending }) => {
  expect(pendingMigrations(files, ledger.map(ran))).toEqual(pending)
})

test.for([
  {
    because: 'it names a file that no longer exists',
    ledger: [file('m0001-a')],
    madeBy: 'pre-release build',
  },
  {
    because: 'a file was edited after it ran',
    ledger: [a, file('0002-b', 'select 2')],
    madeBy: 'pre-release build',
  },
  {
    because: 'a file was added before one that ran',
    ledger: [a, c],
    madeBy: 'pre-release build',
  },
  {
    because: 'it has a name after the last file',
    ledger: [...files, file('0004-d')],
    madeBy: 'newer build',
  },
  {
    because: 'only the first of two newer migrations suits this build',
    ledger: [...files, file('0004-d', '-- works_from: 0003-c'), file('0005-e')],
    madeBy: 'newer build',
  },
])('a ledger of migrations is refused: $because', ({ ledger, madeBy }) => {
  expect(() => pendingMigrations(files, ledger.map(ran))).toThrow(
    expect.objectContaining({ name: 'DatabaseVersionError', madeBy }),
  )
})
