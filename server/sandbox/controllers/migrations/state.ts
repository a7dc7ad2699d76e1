import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { read } from '../read.ts'

export const migrationStateOf = (vmi: KubeObject): JsonMap => read.map(read.status(vmi).migrationState)

/** From the moment that the target is handed over until the guest runs there, or does not. */
export function isMigrating(vmi: KubeObject): boolean {
  const { startTimestamp, completed } = migrationStateOf(vmi)
  return startTimestamp !== undefined && completed !== true
}
