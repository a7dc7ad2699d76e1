import type pg from 'pg'
import { Fault } from '../model/fault.ts'
import { sha256 } from '../../runtime/ids.ts'
import { scopedQuery } from '../database/sql/scoped-query.ts'
import { networkFromAddress } from '../model/ip-address.ts'
import { messageOf } from '../model/message.ts'

/**
 * Slows down password guessing per account and per address. The counters are rows, so all replicas
 * share them exactly. An attempt counts as failed before it is checked, otherwise a burst would
 * pass before the first failure; a success is uncounted. Beyond the free attempts each failure
 * doubles the wait, up to one minute. A longer wait would let an attacker who knows a name lock its
 * owner out.
 */
export interface LoginThrottle {
  /**
   * Counts an attempt for each of its accounts, and returns those that need not wait. Refuses it
   * while all of them, or its address, must wait.
   */
  admit(attempt: LoginAttempt): Promise<ReadonlySet<string>>
  /**
   * Uncounts a successful attempt: the accounts start again at zero and the address gets one
   * attempt back.
   */
  forgive(attempt: LoginAttempt): Promise<void>
  /**
   * Uncounts an attempt with the right password and no code. Earlier failures stay counted, so that
   * a thief of the password cannot reset the count between two guesses of a code.
   */
  uncount(attempt: LoginAttempt): Promise<void>
}

export interface LoginAttempt {
  /** Keys of the accounts whose passwords the attempt tries. They may not exist. */
  accounts: readonly string[]
  address: string
}

const freeLimits = { account: 10, address: 100 } as const

export function createLoginThrottle(pool: pg.Pool): LoginThrottle {
  const ask = <Row>(name: string, text: string, values: unknown[]) =>
    scopedQuery<Row>(pool, { name, text, values, scope: 'platform' })
  const admit = async (keys: readonly Buffer[], freeAttempts: number) => {
    const values = [keys, freeAttempts]
    const rows = await ask<{ key: Buffer }>('berth_throttle_admit', admitText, values)
    if (rows.length === 0)
      throw tooMany(await ask<{ seconds: number }>('berth_throttle_wait', waitText, [keys]))
    return new Set(rows.map(({ key }) => key.toString('hex')))
  }
  return {
    async admit(attempt) {
      // The address is checked first, so that a refused address cannot fill the table with invented
      // names.
      await admit([addressKey(attempt)], freeLimits.address)
      const { accounts } = attempt
      const admitted = await admit(accounts.map(accountKey), freeLimits.account)
      return new Set(accounts.filter((each) => admitted.has(accountKey(each).toString('hex'))))
    },
    async forgive(attempt) {
      await ask('berth_throttle_forgive', forgiveText, [
        attempt.accounts.map(accountKey),
        addressKey(attempt),
      ])
    },
    async uncount(attempt) {
      await ask('berth_throttle_uncount', uncountText, [
        attempt.accounts.map(accountKey),
        addressKey(attempt),
      ])
    },
  }
}

// Rows are locked in the order of their keys, so that no two attempts wait for each other. The
// count restarts after 15 minutes without an attempt.
const counted = `case when t.last_at < now() - interval '15 minutes' then 1 else t.failures + 1 end`

const admitText = `
insert into login_throttle as t (key) select key from unnest($1::bytea[]) as attempt (key) order by key
on conflict (key) do update set failures = ${counted}, last_at = now(),
  blocked_until = case when ${counted} > $2::int then now() + make_interval(secs => least(60, 2 ^ least(6, ${counted} - $2::int - 1))) end
where t.blocked_until is null or t.blocked_until <= now()
returning key`

const waitText = `select ceil(extract(epoch from min(blocked_until) - now()))::int as seconds from login_throttle where key = any($1::bytea[])`

const lockText = `select key from login_throttle where key = any($1::bytea[]) order by key for update`

const forgiveText = `
with locked as (${lockText}),
  account as (delete from login_throttle where key in (select key from locked))
update login_throttle set failures = greatest(failures - 1, 0), blocked_until = null where key = $2`

// Only the wait of the address ends. The wait of the account may come from another attempt.
const uncountText = `
with locked as (${lockText}),
  account as (update login_throttle set failures = greatest(failures - 1, 0) where key in (select key from locked))
update login_throttle set failures = greatest(failures - 1, 0), blocked_until = null where key = $2`

function tooMany(rows: readonly { seconds: number }[]): Fault {
  const retryAfterSeconds = Math.max(1, rows[0]?.seconds ?? 1)
  return new Fault(
    'too_many_requests',
    messageOf('access.logins_limited', { seconds: retryAfterSeconds }),
    { retryAfterSeconds },
  )
}

const accountKey = (account: string): Buffer => sha256(`account ${account}`)

const addressKey = ({ address }: LoginAttempt): Buffer =>
  sha256(`address ${networkFromAddress(address)}`)
