import { expect, test } from 'vitest'
import { ConfigError } from '../runtime/config/config.ts'
import { InstanceLockedError } from '../runtime/instance-lock.ts'
import { Secret } from '../runtime/config/secret.ts'
import { MissingRightsError } from '../engine/database/app-role.ts'
import { DatabaseVersionError } from '../engine/database/run-migrations.ts'
import { EmbeddedPostgresError } from '../engine/postgres/embedded-failure.ts'
import { sentenceFor, type StartContext } from './start-failure.ts'

const own: StartContext = {
  server: { host: '10.0.0.9', port: 8080 },
  data: { dir: '/srv/.berth' },
  database: { url: null },
}
const external: StartContext = {
  ...own,
  database: { url: new Secret('postgresql://berth:hunter2@db.example:5433/cloud') },
}
const system = (code: string, more: object = {}) =>
  Object.assign(new Error(code), { code, ...more })

const cases: { because: string; error: unknown; context?: StartContext; sentence: string }[] = [
  {
    because: 'the port is taken',
    error: system('EADDRINUSE', { syscall: 'listen', port: 8080 }),
    sentence:
      'Port 8080 is taken by another program. Stop that program, or choose another port: BERTH_PORT=8081, or server.port in berth.yaml.',
  },
  {
    because: 'the port is privileged',
    error: system('EACCES', { syscall: 'listen', port: 80 }),
    sentence:
      'Port 80 needs more rights than this account has. Choose one above 1023 with BERTH_PORT or server.port.',
  },
  {
    because: 'the host does not have the address',
    error: system('EADDRNOTAVAIL', { address: '10.0.0.9' }),
    sentence: 'This machine has no address 10.0.0.9. Correct server.host in berth.yaml.',
  },
  {
    because: 'the data folder is read-only',
    error: system('EROFS', { path: '/srv/.berth' }),
    sentence:
      '/srv/.berth cannot be written: it is read-only. Make it writable, or choose another folder with data.dir in berth.yaml.',
  },
  {
    because: 'the account may not write the data folder',
    error: system('EACCES', { path: '/srv/.berth/lock' }),
    sentence:
      '/srv/.berth/lock cannot be written: no permission. Make it writable, or choose another folder with data.dir in berth.yaml.',
  },
  {
    because: 'a file cannot be written on a full disk',
    error: system('ENOSPC'),
    sentence: 'The disk is full. Make room (a first start needs about 200 MB) and start again.',
  },
  {
    because: 'PostgreSQL has no disk space',
    error: system('53100'),
    sentence: 'The disk is full. Make room (a first start needs about 200 MB) and start again.',
  },
  {
    because: 'the database user lacks rights',
    error: new MissingRightsError('berth', [
      'CREATE on the database cloud',
      'CREATE on the schema public',
    ]),
    sentence:
      'The database user berth lacks CREATE on the database cloud and CREATE on the schema public. Grant it, or make berth the owner of the database.',
  },
  {
    because: 'initdb has no disk space',
    error: new EmbeddedPostgresError('no_space', 'x'),
    sentence: 'The disk is full. Make room (a first start needs about 200 MB) and start again.',
  },
  {
    because: 'the configuration has an unknown key',
    error: new ConfigError('berth.yaml: a is not a known key.'),
    sentence: 'berth.yaml: a is not a known key.',
  },
  {
    because: 'another Berth runs on the data folder',
    error: new InstanceLockedError('Another Berth (process 7) already runs on /srv/.berth'),
    sentence:
      'Another Berth (process 7) already runs on /srv/.berth. Stop it first, or give this one its own data.dir and server.port.',
  },
  {
    because: 'the platform has no bundled PostgreSQL',
    error: new EmbeddedPostgresError(
      'unsupported',
      'There is no bundled PostgreSQL for win32-x64; set database.url.',
    ),
    sentence: 'There is no bundled PostgreSQL for win32-x64; set database.url.',
  },
  {
    because: 'the external database refuses connections',
    context: external,
    error: system('ECONNREFUSED', { address: '10.0.0.1', port: 5433 }),
    sentence:
      'The database db.example:5433/cloud refuses connections. Correct database.url (or BERTH_DATABASE_URL), or start the database first.',
  },
  {
    because: 'all addresses of the database refuse connections',
    context: external,
    error: new AggregateError([system('ECONNREFUSED')]),
    sentence:
      'The database db.example:5433/cloud refuses connections. Correct database.url (or BERTH_DATABASE_URL), or start the database first.',
  },
  {
    because: 'the database refuses the password',
    context: external,
    error: system('28P01'),
    sentence:
      'The database db.example:5433/cloud does not accept the password. Correct database.url (or BERTH_DATABASE_URL), or start the database first.',
  },
  {
    because: 'a pre-release build created the embedded database',
    error: new DatabaseVersionError('pre-release build', 'm0001-foundation'),
    sentence:
      'This database was made by a pre-release build of Berth, and this build cannot upgrade it. Remove the folder /srv/.berth/postgres to begin again; all data in it is lost.',
  },
  {
    because: 'a pre-release build created the external database',
    context: external,
    error: new DatabaseVersionError('pre-release build', 'm0001-foundation'),
    sentence:
      'This database was made by a pre-release build of Berth, and this build cannot upgrade it. Start with an empty database.',
  },
  {
    because: 'a newer build upgraded the database',
    error: new DatabaseVersionError('newer build', '0042-next'),
    sentence:
      'A newer build of Berth has upgraded this database, and this build cannot use it. Start that build or a later one.',
  },
  {
    because: 'the cause is nested in other errors',
    error: new TypeError('outer', { cause: new TypeError('middle', { cause: system('ENOSPC') }) }),
    sentence: 'The disk is full. Make room (a first start needs about 200 MB) and start again.',
  },
]

test.for(cases)(
  'sentenceFor explains a failed start: $because',
  ({ error, context = own, sentence }) => {
    expect(sentenceFor(error, context)).toBe(sentence)
  },
)

test('sentenceFor returns null for an unexpected error', () => {
  expect(sentenceFor(new TypeError('undefined is not a function'), own)).toBeNull()
  expect(sentenceFor('text', null)).toBeNull()
})
