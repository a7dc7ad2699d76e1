import { type JsonMap, type KubeObject } from '../types.ts'
import { read } from '../read.ts'

export const isFinalMigration = ({ status }: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(read.text(read.map(status).phase))

export const migrationStateOf = (vmi: KubeObject): JsonMap =>
  read.map(read.status(vmi).migrationState)

/** True from the start of the copy until it completes or fails. */
export function isMigrating(vmi: KubeObject): boolean {
  const { startTimestamp, endTimestamp } = migrationStateOf(vmi)
  return startTimestamp !== undefined && endTimestamp === undefined
}

/** True when the migration state of the VMI belongs to this migration. */
export const belongsToMigration = (vmi: KubeObject, migration: KubeObject): boolean =>
  migrationStateOf(vmi).migrationUid === migration.metadata.uid
