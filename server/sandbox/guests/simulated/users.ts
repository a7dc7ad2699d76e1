import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { encrypt } from 'unixcrypt'
import { type Json, type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'

/** A user account in the operating system of a simulated guest. */
export interface User {
  name: string
  uid: number
  groups: string[]
  hasSudo: boolean
  isLocked: boolean
  /** The hash, in the format of `/etc/shadow`. Null means that no password is accepted. */
  password: string | null
  keys: string[]
}

const hashed = (password: string, salt = randomBytes(8).toString('hex')): string =>
  `$berth$${salt}$${createHash('sha256').update(`${salt}${password}`).digest('hex')}`

/** True when the password is the one of the user and the user may log in with it. */
export function opens({ password, isLocked }: User, attempt: string): boolean {
  if (password === null || isLocked) return false
  const made = Buffer.from(hashedLike(password, attempt))
  const stored = Buffer.from(password)
  return made.length === stored.length && timingSafeEqual(made, stored)
}

/** A hash with more rounds would block the whole sandbox during a login, so none is accepted. */
const mostRounds = 999_999

/** Hashes the password with the method, salt and rounds of the stored hash. */
function hashedLike(hash: string, attempt: string): string {
  const [settings, rounds = '5000'] = /^\$[56]\$(?:rounds=(\d+)\$)?[./0-9A-Za-z]+/.exec(hash) ?? []
  if (settings === undefined) return hashed(attempt, hash.split('$')[2])
  return Number(rounds) <= mostRounds ? encrypt(attempt, settings) : ''
}

const list = (value: Json | undefined): string[] => {
  if (typeof value === 'string')
    return value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
  return read.texts(value)
}

const isYes = (value: Json | undefined, otherwise: boolean): boolean =>
  typeof value === 'boolean'
    ? value
    : typeof value === 'string'
      ? /^(yes|true|on)$/i.test(value)
      : otherwise

/**
 * Returns the users of a guest after cloud-init: root and the users of the config. The default user
 * is included unless the config lists only other users.
 */
export function usersFrom(config: JsonMap, defaultUser: string): User[] {
  const root: User = {
    name: 'root',
    uid: 0,
    groups: [],
    hasSudo: false,
    isLocked: false,
    password: null,
    keys: [],
  }
  const entries: readonly Json[] = Array.isArray(config.users) ? config.users : ['default']
  const main = read.map(config.user)
  const mainName =
    typeof config.user === 'string' ? config.user : read.text(main.name) || defaultUser
  const keys = list(config.ssh_authorized_keys)
  const users = entries.flatMap((each, index): User[] => {
    const isDefault = each === 'default'
    const entry: JsonMap = isDefault
      ? { name: mainName, sudo: 'ALL=(ALL) NOPASSWD:ALL', groups: 'wheel' }
      : typeof each === 'string'
        ? { name: each }
        : read.map(each)
    const name = read.text(entry.name)
    return name === ''
      ? []
      : [
          userFrom(
            entry,
            1000 + index,
            isDefault ? { keys, mainPassword: read.text(config.password) } : undefined,
          ),
        ]
  })
  const all = [
    ...users.filter(({ name }) => name !== 'root'),
    users.find(({ name }) => name === 'root') ?? root,
  ]
  const [first] = users
  // Top-level keys of the config are for the first user, which usually is the default user.
  if (first && !entries.includes('default')) first.keys.push(...keys)
  for (const { name, password } of passwordsIn(read.map(config.chpasswd))) {
    const user = all.find((each) => each.name === name)
    if (user) Object.assign(user, { password, isLocked: false })
  }
  return all
}

function userFrom(
  entry: JsonMap,
  uid: number,
  own?: { keys: string[]; mainPassword: string },
): User {
  const name = read.text(entry.name)
  const isOpened = own !== undefined && own.mainPassword !== ''
  return {
    name,
    uid: name === 'root' ? 0 : Number(entry.uid ?? uid),
    groups: list(entry.groups),
    hasSudo: Boolean(entry.sudo),
    isLocked: isYes(entry.lock_passwd ?? entry['lock-passwd'], !isOpened),
    password: passwordIn(entry, own?.mainPassword ?? ''),
    keys: [...list(entry.ssh_authorized_keys), ...(own?.keys ?? [])],
  }
}

function passwordIn(entry: JsonMap, mainPassword: string): string | null {
  const plain = read.text(entry.plain_text_passwd) || mainPassword
  if (plain !== '') return hashedUnlessHashed(plain)
  return read.text(entry.hashed_passwd) || read.text(entry.passwd) || null
}

const hashedUnlessHashed = (password: string): string =>
  /^\$[0-9a-z]+\$/.test(password) ? password : hashed(password)

/** Reads `name:password` lines, a list of them, or a list of maps. cloud-init accepts all three. */
function passwordsIn(config: JsonMap): { name: string; password: string }[] {
  const lines = typeof config.list === 'string' ? config.list.split('\n') : read.texts(config.list)
  const pairs = lines
    .filter((line) => line.includes(':'))
    .map((line) => {
      const [, name = '', password = ''] = /^\s*([^:]+):(.*)$/.exec(line) ?? []
      return { name, password: hashedUnlessHashed(password.trim()) }
    })
  const entries = read.maps(config.users).map(({ name, password, type }) => ({
    name: read.text(name),
    password: type === 'hash' ? read.text(password) : hashedUnlessHashed(String(password ?? '')),
  }))
  return [...pairs, ...entries]
}

/** The fingerprint of a key, in the format of ssh. */
export function fingerprint(key: string): string {
  const [, body = ''] = key.split(/\s+/)
  return `SHA256:${createHash('sha256').update(Buffer.from(body, 'base64')).digest('base64').replace(/=+$/, '')}`
}
