import { driversWithSubnet } from '../../domain/network/driver.ts'
import { type Kysely, sql } from 'kysely'
import { type Keys, keyNamed, keysOn } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface NetworkKey extends WorkKey {
  /** Of its attachment. */
  namespace: string
  name: string
  /** Of the attachment as we last wrote it. */
  seenVersion: string | null
  /** Whether its addresses are a subnet, and what that says as we last wrote it. */
  hasSubnet: boolean
  subnetGeneration: number | null
  /** It is open, and nothing more was asked. */
  isSettled: boolean
  isGone: boolean
}

const subnetDrivers = sql.join(driversWithSubnet.map((driver) => sql.lit(driver)))

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('network')
    .select([
      'id',
      'tenant_id as tenantId',
      'attachment_namespace as namespace',
      'attachment_name as name',
      'seen_version as seenVersion',
    ])
    .select(sql<boolean>`state = 'active' and delete_requested_at is null`.as('isSettled'))
    .select([
      'subnet_generation as subnetGeneration',
      sql<boolean>`coalesce(driver in (${subnetDrivers}), false)`.as('hasSubnet'),
    ])
    .select(sql<boolean>`gone_at is not null`.as('isGone'))

/** Of every network. */
export const networkKeys: Keys<NetworkKey> = keysOn('network', {
  table: 'network',
  rows: keys,
  keyOf: keyNamed('network'),
})
