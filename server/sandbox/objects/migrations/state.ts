import { type JsonMap, type KubeObject } from '../types.ts'
import { read } from '../read.ts'

export const isFinalMigration = ({ status }: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(read.text(read.map(status).phase))

export const migrationStateOf = (vmi: KubeObject): JsonMap =>
  read.map(read.status(vmi).migrationState)

/** From the first byte that is copied until the guest runs there, or stays here. */
export function isMigrating(vmi: KubeObject): boolean {
  const { startTimestamp, endTimestamp } = migrationStateOf(vmi)
  return startTimestamp !== undefined && endTimestamp === undefined
}

/** Whether the instance's state is of this migration and not of another one. */
export const isOf = (vmi: KubeObject, migration: KubeObject): boolean =>
  migrationStateOf(vmi).migrationUid === migration.metadata.uid
