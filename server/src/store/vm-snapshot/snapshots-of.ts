import { sql } from 'kysely'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

const tables = { vm: 'vm_snapshot', volume: 'volume_snapshot' } as const

/**
 * Counts the finished snapshots of each VM or volume that are not being deleted. Those without
 * snapshots have no entry.
 */
export async function countSnapshotsOf(
  reader: Reader,
  of: keyof typeof tables,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const origin = sql.ref<string>(`${of}_id`)
  const counted = statement(`${tables[of]}.countsOf`, (db) =>
    db
      .selectFrom(tables[of])
      .select([origin.as('id'), countAll])
      .where(
        sql<boolean>`${origin} = any(${slot('ids')}::uuid[]) and taken_at is not null and delete_requested_at is null and gone_at is null`,
      )
      .groupBy(origin),
  )
  return new Map((await reader.all(counted, { ids })).map(({ id, total }) => [id, total]))
}

/** Counts the VM snapshots that include each volume. */
export async function countVmSnapshotsWith(
  reader: Reader,
  volumeIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counted = statement('vmSnapshot.countsWith', (db) =>
    db
      .selectFrom('volume')
      .innerJoin('vm_snapshot', 'vm_snapshot.tenant_id', 'volume.tenant_id')
      .select(['volume.id', countAll])
      .where(
        sql<boolean>`volume.id = any(${slot('volumeIds')}::uuid[]) and vm_snapshot.delete_requested_at is null and vm_snapshot.gone_at is null`,
      )
      .where(
        sql<boolean>`vm_snapshot.disks @> jsonb_build_array(jsonb_build_object('volumeId', volume.id, 'included', true))`,
      )
      .groupBy('volume.id'),
  )
  return new Map((await reader.all(counted, { volumeIds })).map(({ id, total }) => [id, total]))
}
