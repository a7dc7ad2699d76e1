import { expect, test } from 'vitest'
import { ConfigError } from '../runtime/config/config.ts'
import { InstanceLockedError } from '../runtime/instance-lock.ts'
import { Secret } from '../runtime/config/secret.ts'
import { DatabaseVersionError } from '../engine/database/run-migrations.ts'
import { EmbeddedPostgresError } from '../engine/postgres/embedded-failure.ts'
import { sentenceFor, type StartContext } from './start-failure.ts'

const own: StartContext = {
  server: { host: '10.0.0.9', port: 8080, publicUrl: '', tls: null, trustProxy: 0 },
  data: { dir: '/srv/.berth' },
  database: { url: null },
}
const external: StartContext = {
  ...own,
  database: { url: new Secret('postgresql://berth:hunter2@db.example:5433/cloud') },
}
const system = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, ...more })

const cases: { because: string; error: unknown; context?: StartContext; says: string }[] = [
  {
    because: 'taken port',
    error: system('EADDRINUSE', { syscall: 'listen', port: 8080 }),
    says: 'Port 8080 is taken by another program. Stop that program, or choose another port: BERTH_PORT=8081, or server.port in berth.yaml.',
  },
  {
    because: 'privileged port',
    error: system('EACCES', { syscall: 'listen', port: 80 }),
    says: 'Port 80 needs more rights than this account has. Choose one above 1023 with BERTH_PORT or server.port.',
  },
  {
    because: 'foreign address',
    error: system('EADDRNOTAVAIL', { address: '10.0.0.9' }),
    says: 'This machine has no address 10.0.0.9. Correct server.host in berth.yaml.',
  },
  {
    because: 'read-only folder',
    error: system('EROFS', { path: '/srv/.berth' }),
    says: '/srv/.berth cannot be written: it is read-only. Make it writable, or choose another folder with data.dir in berth.yaml.',
  },
  {
    because: 'no permission',
    error: system('EACCES', { path: '/srv/.berth/lock' }),
    says: '/srv/.berth/lock cannot be written: no permission. Make it writable, or choose another folder with data.dir in berth.yaml.',
  },
  {
    because: 'full disk in a file',
    error: system('ENOSPC'),
    says: 'The disk is full. Make room (a first start needs about 200 MB) and start again.',
  },
  {
    because: 'full disk in PostgreSQL',
    error: system('53100'),
    says: 'The disk is full. Make room (a first start needs about 200 MB) and start again.',
  },
  {
    because: 'full disk in initdb',
    error: new EmbeddedPostgresError('no_space', 'x'),
    says: 'The disk is full. Make room (a first start needs about 200 MB) and start again.',
  },
  {
    because: 'wrong key',
    error: new ConfigError('berth.yaml: a is not a known key.'),
    says: 'berth.yaml: a is not a known key.',
  },
  {
    because: 'second Berth',
    error: new InstanceLockedError('Another Berth (process 7) already runs on /srv/.berth'),
    says: 'Another Berth (process 7) already runs on /srv/.berth. Stop it first, or give this one its own data.dir and server.port.',
  },
  {
    because: 'no bundled PostgreSQL',
    error: new EmbeddedPostgresError(
      'unsupported',
      'There is no bundled PostgreSQL for win32-x64; set database.url.',
    ),
    says: 'There is no bundled PostgreSQL for win32-x64; set database.url.',
  },
  {
    because: 'database down',
    context: external,
    error: system('ECONNREFUSED', { address: '10.0.0.1', port: 5433 }),
    says: 'The database db.example:5433/cloud refuses connections. Correct database.url (or BERTH_DATABASE_URL), or start the database first.',
  },
  {
    because: 'several addresses',
    context: external,
    error: new AggregateError([system('ECONNREFUSED')]),
    says: 'The database db.example:5433/cloud refuses connections. Correct database.url (or BERTH_DATABASE_URL), or start the database first.',
  },
  {
    because: 'wrong password',
    context: external,
    error: system('28P01'),
    says: 'The database db.example:5433/cloud does not accept the password. Correct database.url (or BERTH_DATABASE_URL), or start the database first.',
  },
  {
    because: 'embedded database of a pre-release build',
    error: new DatabaseVersionError('pre-release build', 'm0001-foundation'),
    says: 'This database was made by a pre-release build of Berth, and this build cannot upgrade it. Remove the folder /srv/.berth/postgres to begin again; all data in it is lost.',
  },
  {
    because: 'external database of a pre-release build',
    context: external,
    error: new DatabaseVersionError('pre-release build', 'm0001-foundation'),
    says: 'This database was made by a pre-release build of Berth, and this build cannot upgrade it. Start with an empty database.',
  },
  {
    because: 'database of a newer build',
    error: new DatabaseVersionError('newer build', '0042-next'),
    says: 'A newer build of Berth has upgraded this database, and this build cannot use it. Start that build or a later one.',
  },
  {
    because: 'a cause deep inside',
    error: new TypeError('outer', { cause: new TypeError('middle', { cause: system('ENOSPC') }) }),
    says: 'The disk is full. Make room (a first start needs about 200 MB) and start again.',
  },
]

test.for(cases)('$because', ({ error, context = own, says }) => {
  expect(sentenceFor(error, context)).toBe(says)
})

test('what nobody foresaw has no sentence of its own', () => {
  expect(sentenceFor(new TypeError('undefined is not a function'), own)).toBeNull()
  expect(sentenceFor('text', null)).toBeNull()
})
