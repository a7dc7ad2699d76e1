import { driversWithSubnet } from '../../domain/network/driver.ts'
import { type Kysely, sql } from 'kysely'
import { type KeyReads, keyNamed, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface NetworkKey extends WorkKey {
  /** The namespace of its attachment. */
  namespace: string
  name: string
  /** The resource version of the attachment after Berth's last write. */
  observedVersion: string | null
  /** True when the driver has a subnet. `subnetGeneration` is that of Berth's last write. */
  hasSubnet: boolean
  subnetGeneration: number | null
  /** True when the network is active and no deletion is requested. */
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
      'observed_version as observedVersion',
    ])
    .select(sql<boolean>`state = 'active' and delete_requested_at is null`.as('isSettled'))
    .select([
      'subnet_generation as subnetGeneration',
      sql<boolean>`coalesce(driver in (${subnetDrivers}), false)`.as('hasSubnet'),
    ])
    .select(sql<boolean>`gone_at is not null`.as('isGone'))

/**
 * Reads a work key for each network: its id, and what the full pass of the reconciler compares with
 * the cluster to find networks that need it.
 */
export const networkKeys: KeyReads<NetworkKey> = createKeyReads('network', {
  table: 'network',
  rows: keys,
  keyOf: keyNamed('network'),
})
