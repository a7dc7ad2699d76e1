import type pg from 'pg'
import { Fault } from '../model/fault.ts'
import { sha256 } from '../../runtime/ids.ts'
import { scopedQuery } from '../database/sql/scoped-query.ts'
import { networkFromAddress } from '../model/ip-address.ts'
import { messageOf } from '../model/message.ts'
import { type LoginNetworks, loginNetworksOn } from './login-networks.ts'

/**
 * Slows down password guessing. The counters are rows, so all replicas share them exactly. An
 * attempt counts as failed before it is checked, otherwise a burst would pass before the first
 * failure; a success is uncounted. Beyond the free attempts each failure doubles the wait.
 *
 * A series of failures blocks an account for one network only, so that a guesser cannot lock its
 * owner out. A wider limit of each account bounds a guesser with many networks. It does not hold
 * for networks and devices that have logged in to the account before.
 */
export interface LoginThrottle {
  /** Counts an attempt. Refuses it while its network or all of its accounts must wait. */
  admit(attempt: LoginAttempt): Promise<AdmittedLogin>
}

export interface LoginAttempt {
  /** The accounts whose passwords the attempt tries. */
  accounts: readonly ThrottledAccount[]
  address: string
  device: LoginDevice | null
}

export interface ThrottledAccount {
  key: string
  /** An account that does not exist has no user. It counts like the accounts that exist. */
  userId: string | null
}

/** A browser that proves by a sealed cookie who has logged in with it. */
export interface LoginDevice {
  id: string
  userIds: readonly string[]
}

export interface AdmittedLogin {
  /** The keys of the accounts that need not wait. */
  accounts: ReadonlySet<string>
  /** Uncounts a success. The accounts start again at zero here, and their network is known. */
  forgive(keys?: readonly string[]): Promise<void>
  /**
   * Uncounts an attempt with the right password and no code. Earlier failures stay counted, so that
   * a thief of the password cannot reset the count between two guesses of a code.
   */
  uncount(keys?: readonly string[]): Promise<void>
}

interface Limit {
  freeAttempts: number
  /** The count restarts after so long without an attempt. */
  restartSeconds: number
  longestWaitSeconds: number
}

const quarterHour = 900
const limits = {
  network: { freeAttempts: 100, restartSeconds: quarterHour, longestWaitSeconds: 60 },
  accountHere: { freeAttempts: 10, restartSeconds: quarterHour, longestWaitSeconds: 60 },
  accountAnywhere: { freeAttempts: 100, restartSeconds: 86_400, longestWaitSeconds: 300 },
} as const satisfies Record<string, Limit>

export function createLoginThrottle(pool: pg.Pool): LoginThrottle {
  const parts = { counters: countersOn(pool), networks: loginNetworksOn(pool) }
  return { admit: (attempt) => admit(parts, attempt) }
}

interface Parts {
  counters: Counters
  networks: LoginNetworks
}

async function admit({ counters, networks }: Parts, attempt: LoginAttempt): Promise<AdmittedLogin> {
  const network = networkFromAddress(attempt.address)
  const networkKey = sha256(`address ${network}`)
  const networkId = sha256(network)
  // The network is counted first, so that a refused network cannot fill the table with names.
  const isNetworkFree = (await counters.count([networkKey], limits.network)).has(hex(networkKey))
  const eligible = isNetworkFree
    ? attempt.accounts
    : attempt.accounts.filter((account) => isOfDevice(attempt.device, account))
  if (eligible.length === 0) throw await counters.refusal([networkKey])
  const userIds = eligible.flatMap(({ userId }) => userId ?? [])
  const known = await networks.knownUsers(userIds, networkId)
  const here = (account: ThrottledAccount): Buffer => keyHere(account, { network, attempt })
  const countedHere = await counters.count(eligible.map(here), limits.accountHere)
  const freeHere = eligible.filter((account) => countedHere.has(hex(here(account))))
  if (freeHere.length === 0) throw await counters.refusal(eligible.map(here))
  const isKnown = (account: ThrottledAccount): boolean =>
    isOfDevice(attempt.device, account) || known.has(account.userId ?? '')
  const strange = freeHere.filter((account) => !isKnown(account))
  const countedAnywhere = await counters.count(strange.map(keyAnywhere), limits.accountAnywhere)
  const admitted = freeHere.filter(
    (account) => isKnown(account) || countedAnywhere.has(hex(keyAnywhere(account))),
  )
  if (admitted.length === 0) throw await counters.refusal(strange.map(keyAnywhere))
  const uncounted = (keys?: readonly string[]): UncountedKeys => {
    const chosen = freeHere.filter(({ key }) => keys?.includes(key) ?? true)
    const anywhere = chosen.map(keyAnywhere).filter((key) => countedAnywhere.has(hex(key)))
    return { here: chosen.map(here), elsewhere: [networkKey, ...anywhere], networkKey }
  }
  return {
    accounts: new Set(admitted.map(({ key }) => key)),
    async forgive(keys) {
      await counters.forgive(uncounted(keys))
      for (const { key, userId } of admitted)
        if (userId !== null && (keys?.includes(key) ?? true))
          await networks.remember(userId, networkId)
    },
    uncount: (keys) => counters.uncount(uncounted(keys)),
  }
}

const isOfDevice = (device: LoginDevice | null, { userId }: ThrottledAccount): boolean =>
  userId !== null && device?.userIds.includes(userId) === true

/** A device that has logged in to the account counts apart from its network. */
function keyHere(
  account: ThrottledAccount,
  { network, attempt: { device } }: { network: string; attempt: LoginAttempt },
): Buffer {
  const origin = isOfDevice(device, account) ? `device ${device?.id ?? ''}` : network
  return sha256(`account ${account.key} at ${origin}`)
}

const keyAnywhere = ({ key }: ThrottledAccount): Buffer => sha256(`account ${key}`)

const hex = (key: Buffer): string => key.toString('hex')

interface UncountedKeys {
  here: readonly Buffer[]
  /** The other keys that the attempt counted. */
  elsewhere: readonly Buffer[]
  networkKey: Buffer
}

interface Counters {
  /** Counts an attempt for each key that need not wait, and returns these keys in hex. */
  count(keys: readonly Buffer[], limit: Limit): Promise<ReadonlySet<string>>
  refusal(keys: readonly Buffer[]): Promise<Fault>
  forgive(keys: UncountedKeys): Promise<void>
  uncount(keys: UncountedKeys): Promise<void>
}

function countersOn(pool: pg.Pool): Counters {
  const ask = <Row>(name: string, text: string, values: unknown[]) =>
    scopedQuery<Row>(pool, { name, text, values, scope: 'platform' })
  return {
    async count(keys, { freeAttempts, restartSeconds, longestWaitSeconds }) {
      if (keys.length === 0) return new Set()
      const values = [keys, freeAttempts, restartSeconds, longestWaitSeconds]
      const rows = await ask<{ key: Buffer }>('berth_throttle_count', countText, values)
      return new Set(rows.map(({ key }) => hex(key)))
    },
    async refusal(keys) {
      const rows = await ask<{ seconds: number | null }>('berth_throttle_wait', waitText, [keys])
      return tooMany(Math.max(1, rows[0]?.seconds ?? 1))
    },
    async forgive({ here, elsewhere, networkKey }) {
      await ask('berth_throttle_forgive', forgiveText, [here, elsewhere, networkKey])
    },
    async uncount({ here, elsewhere, networkKey }) {
      await ask('berth_throttle_uncount', uncountText, [[...here, ...elsewhere], networkKey])
    },
  }
}

const counted = `case when t.last_at < now() - make_interval(secs => $3::int) then 1 else t.failures + 1 end`

// Rows are locked in the order of their keys, so that no two attempts wait for each other.
const countText = `
insert into login_throttle as t (key) select key from unnest($1::bytea[]) as attempt (key) order by key
on conflict (key) do update set failures = ${counted}, last_at = now(),
  blocked_until = case when ${counted} > $2::int
    then now() + make_interval(secs => least($4::int, 2 ^ least(16, ${counted} - $2::int - 1))) end
where t.blocked_until is null or t.blocked_until <= now()
returning key`

const waitText = `select ceil(extract(epoch from min(blocked_until) - now()))::int as seconds
from login_throttle where key = any($1::bytea[]) and blocked_until > now()`

const lockText = (keys: string): string =>
  `select key from login_throttle where key = any(${keys}) order by key for update`

// The wait of the network ends. Waits of accounts may come from other attempts.
const uncountOne = (network: string): string =>
  `failures = greatest(failures - 1, 0), blocked_until = case when key = ${network} then null else blocked_until end`

const forgiveText = `
with locked as (${lockText('$1::bytea[] || $2::bytea[]')}),
  account as (delete from login_throttle where key in (select key from locked) and key = any($1::bytea[]))
update login_throttle set ${uncountOne('$3::bytea')} where key in (select key from locked) and key = any($2::bytea[])`

const uncountText = `
with locked as (${lockText('$1::bytea[]')})
update login_throttle set ${uncountOne('$2::bytea')} where key in (select key from locked)`

const tooMany = (retryAfterSeconds: number): Fault =>
  new Fault(
    'too_many_requests',
    messageOf('access.logins_limited', { seconds: retryAfterSeconds }),
    { retryAfterSeconds },
  )
