import type pg from 'pg'
import { Fault } from '../model/fault.ts'
import { sha256 } from '../../runtime/ids.ts'
import { scopedQuery } from '../database/sql/scoped-query.ts'
import { ipv6FromText } from '../model/ip-address.ts'
import { messageOf } from '../model/message.ts'

/**
 * Guessing is slowed per account and per address. The counters are rows, so all replicas share them
 * exactly. An attempt counts as failed before it is looked at, or a burst would pass while none has
 * failed yet; a success takes it back. Beyond the free attempts each failure doubles the wait, to
 * one minute at most: longer would let anybody who knows a name lock its owner out.
 */
export interface LoginThrottle {
  /** Counts an attempt; refuses it while one of its keys has to wait. */
  admit(attempt: LoginAttempt): Promise<void>
  /** The attempt was good: the account starts afresh and the address gets its attempt back. */
  forgive(attempt: LoginAttempt): Promise<void>
}

export interface LoginAttempt {
  username: string
  address: string
}

const free = { account: 10, address: 100 } as const

export function loginThrottleOn(pool: pg.Pool): LoginThrottle {
  const ask = <Row>(name: string, text: string, values: unknown[]) =>
    scopedQuery<Row>(pool, { name, text, values, scope: 'platform' })
  const admitOne = async (key: Buffer, freeAttempts: number) => {
    const [row] = await ask<{ key: Buffer }>('berth_throttle_admit', admitText, [key, freeAttempts])
    if (!row) throw tooMany(await ask<{ seconds: number }>('berth_throttle_wait', waitText, [key]))
  }
  return {
    async admit(attempt) {
      // The address goes first: a refused address cannot fill the table with the names it makes up.
      await admitOne(addressKey(attempt), free.address)
      await admitOne(accountKey(attempt), free.account)
    },
    async forgive(attempt) {
      await ask('berth_throttle_forgive', forgiveText, [accountKey(attempt), addressKey(attempt)])
    },
  }
}

// After a quarter of an hour without an attempt the count starts again.
const counted = `case when t.last_at < now() - interval '15 minutes' then 1 else t.failures + 1 end`

const admitText = `
insert into login_throttle as t (key, blocked_until) values ($1, case when $2::int < 1 then now() + interval '1 second' end)
on conflict (key) do update set failures = ${counted}, last_at = now(),
  blocked_until = case when ${counted} > $2::int then now() + make_interval(secs => least(60, 2 ^ least(6, ${counted} - $2::int - 1))) end
where t.blocked_until is null or t.blocked_until <= now()
returning key`

const waitText = `select ceil(extract(epoch from blocked_until - now()))::int as seconds from login_throttle where key = $1`

const forgiveText = `
with account as (delete from login_throttle where key = $1)
update login_throttle set failures = greatest(failures - 1, 0), blocked_until = null where key = $2`

function tooMany(rows: readonly { seconds: number }[]): Fault {
  const retryAfterSeconds = Math.max(1, rows[0]?.seconds ?? 1)
  return new Fault(
    'too_many_requests',
    messageOf('access.logins_limited', { seconds: retryAfterSeconds }),
    { retryAfterSeconds },
  )
}

const accountKey = ({ username }: LoginAttempt): Buffer =>
  sha256(`account ${username.normalize('NFC').trim().toLowerCase()}`)

const addressKey = ({ address }: LoginAttempt): Buffer => sha256(`address ${networkOf(address)}`)

/** Whoever has one IPv6 address has 2^64 of them: those count as one. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const groups = ipv6FromText(plain.replace(/%.*$/, ''))
  return (
    groups
      ?.slice(0, 4)
      .map((group) => group.toString(16))
      .join(':') ?? plain
  )
}
