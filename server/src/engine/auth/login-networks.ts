import type pg from 'pg'
import { scopedQuery } from '../database/sql/scoped-query.ts'

/** The networks from which users have logged in, known for 90 days after the last login. */
export interface LoginNetworks {
  /** Returns those of the users who have logged in from the network. */
  knownUsers(userIds: readonly string[], network: Buffer): Promise<ReadonlySet<string>>
  /** Records a login. The user retains the newest ten networks. */
  remember(userId: string, network: Buffer): Promise<void>
}

export function loginNetworksOn(pool: pg.Pool): LoginNetworks {
  const ask = <Row>(name: string, text: string, values: unknown[]) =>
    scopedQuery<Row>(pool, { name, text, values, scope: 'platform' })
  return {
    async knownUsers(userIds, network) {
      const values = [userIds, network]
      const rows = await ask<{ id: string }>('berth_login_network_known', knownText, values)
      return new Set(rows.map(({ id }) => id))
    },
    async remember(userId, network) {
      await ask('berth_login_network_remember', rememberText, [userId, network])
    },
  }
}

const knownText = `
select user_id as id from login_network
where user_id = any($1::uuid[]) and network = $2 and last_at > now() - interval '90 days'`

// A user who is deleted at the same moment has no row to refer to.
const rememberText = `
with latest as (
  insert into login_network (user_id, network) select id, $2 from user_account where id = $1
  on conflict (user_id, network) do update set last_at = now())
delete from login_network where user_id = $1 and network in (
  select network from login_network where user_id = $1 and network <> $2 order by last_at desc offset 9)`
