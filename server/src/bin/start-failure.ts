import { join } from 'node:path'
import { ConfigError, type Config } from '../runtime/config/config.ts'
import { InstanceLockedError } from '../runtime/instance-lock.ts'
import { MissingRightsError } from '../engine/database/app-role.ts'
import { DatabaseVersionError } from '../engine/database/run-migrations.ts'
import { EmbeddedPostgresError } from '../engine/postgres/embedded-failure.ts'

/** The context of a sentence about a failed start. Null while the configuration itself is read. */
export type StartContext = {
  server: Pick<Config['server'], 'host' | 'port'>
  data: Config['data']
  database: Pick<Config['database'], 'url'>
} | null

interface Failure extends Error {
  code?: string
  syscall?: string
  path?: string
  address?: string
  port?: number
  hostname?: string
}

type Sentence = (failure: Failure, context: StartContext) => string

/** Returns a sentence that says why Berth could not start. Null for an unexpected failure. */
export function sentenceFor(error: unknown, context: StartContext): string | null {
  for (const failure of withCauses(error)) {
    const sentence =
      ownSentence(failure, context) ??
      systemSentence(failure, context) ??
      databaseSentence(failure, context)
    if (sentence) return sentence
  }
  return null
}

function* withCauses(error: unknown): Generator<Failure> {
  for (let each = error; each instanceof Error; each = each.cause) {
    yield each
    // Node reports a refused connection to a name with several addresses as an AggregateError.
    if (each instanceof AggregateError) yield* each.errors.filter((inner) => inner instanceof Error)
  }
}

function ownSentence(failure: Failure, context: StartContext): string | null {
  if (failure instanceof ConfigError) return failure.message
  if (failure instanceof InstanceLockedError)
    return `${failure.message}. Stop it first, or give this one its own data.dir and server.port.`
  if (failure instanceof MissingRightsError) return rightsSentence(failure)
  if (failure instanceof EmbeddedPostgresError) return embeddedSentence(failure)
  if (failure instanceof DatabaseVersionError) return versionSentence(failure, context)
  return null
}

const rightsSentence = ({ user, rights }: MissingRightsError): string =>
  `The database user ${user} lacks ${rights.join(' and ')}. Grant it, or make ${user} the owner of the database.`

function embeddedSentence({ reason, message }: EmbeddedPostgresError): string {
  if (reason === 'no_space') return diskFull
  if (reason === 'not_writable')
    return `${message}. The account that starts Berth must be able to write there.`
  if (reason === 'locked')
    return `${message}. Another PostgreSQL still uses this folder; wait a moment and start again.`
  return message
}

function versionSentence({ madeBy }: DatabaseVersionError, context: StartContext): string {
  if (madeBy === 'newer build')
    return 'A newer build of Berth has upgraded this database, and this build cannot use it. Start that build or a later one.'
  const remedy =
    context && !context.database.url
      ? `Remove the folder ${join(context.data.dir, 'postgres')} to begin again; all data in it is lost.`
      : 'Start with an empty database.'
  return `This database was made by a pre-release build of Berth, and this build cannot upgrade it. ${remedy}`
}

const diskFull = 'The disk is full. Make room (a first start needs about 200 MB) and start again.'

const notWritable =
  (why: string): Sentence =>
  (failure, context) => {
    if (failure.syscall === 'listen')
      return `Port ${failure.port} needs more rights than this account has. Choose one above 1023 with BERTH_PORT or server.port.`
    const folder = failure.path ?? context?.data.dir ?? 'The data folder'
    return `${folder} cannot be written: ${why}. Make it writable, or choose another folder with data.dir in berth.yaml.`
  }

const systemSentences: Readonly<Record<string, Sentence>> = {
  EADDRINUSE: ({ port }, context) =>
    `Port ${port ?? context?.server.port} is taken by another program. Stop that program, or choose another port: BERTH_PORT=${(port ?? 8080) + 1}, or server.port in berth.yaml.`,
  EADDRNOTAVAIL: ({ address }, context) =>
    `This machine has no address ${address ?? context?.server.host}. Correct server.host in berth.yaml.`,
  EACCES: notWritable('no permission'),
  EPERM: notWritable('no permission'),
  EROFS: notWritable('it is read-only'),
  ENOTDIR: ({ path }) =>
    `${path} cannot be used: a part of it is a file, not a folder. Choose another folder with data.dir in berth.yaml.`,
  ENOSPC: () => diskFull,
  EDQUOT: () => diskFull,
  '53100': () => diskFull,
  EMFILE: () =>
    'This account may not open more files. Raise its limit (ulimit -n 4096) and start again.',
}

function systemSentence(failure: Failure, context: StartContext): string | null {
  return systemSentences[failure.code ?? '']?.(failure, context) ?? null
}

const databaseSentences: Readonly<Record<string, (at: string) => string>> = {
  ECONNREFUSED: (at) => `${at} refuses connections`,
  ECONNRESET: (at) => `${at} closes connections`,
  ENOTFOUND: (at) => `${at} has a name that cannot be resolved`,
  EAI_AGAIN: (at) => `${at} has a name that cannot be resolved now`,
  ETIMEDOUT: (at) => `${at} does not answer`,
  EHOSTUNREACH: (at) => `${at} cannot be reached`,
  ENETUNREACH: (at) => `${at} cannot be reached`,
  '28P01': (at) => `${at} does not accept the password`,
  '28000': (at) => `${at} does not let this user in`,
  '3D000': (at) => `${at} has no such database`,
  '42501': (at) => `${at} denies a right that Berth needs there`,
  '53300': (at) => `${at} has no connection left`,
  '57P03': (at) => `${at} is starting up or shutting down`,
}

function databaseSentence(failure: Failure, context: StartContext): string | null {
  const describe = databaseSentences[failure.code ?? '']
  if (!describe) return null
  const url = context?.database.url
  const otherAddress =
    failure.hostname ??
    (failure.address ? `${failure.address}${failure.port ? `:${failure.port}` : ''}` : null)
  if (url)
    return `${describe(`The database ${withoutPassword(url.reveal())}`)}. Correct database.url (or BERTH_DATABASE_URL), or start the database first.`
  return otherAddress ? `${describe(otherAddress)}.` : null
}

function withoutPassword(text: string): string {
  const url = new URL(text)
  return `${decodeURIComponent(url.hostname) || 'on this machine'}${url.port ? `:${url.port}` : ''}${url.pathname}`
}
