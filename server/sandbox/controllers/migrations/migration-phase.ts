import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { isDeleted } from '../holds.ts'
import { read } from '../read.ts'
import { conditionOf, conditionsOf, isTrue } from '../vms/conditions.ts'
import { isFinal } from '../vms/phase.ts'
import { isOf, migrationStateOf } from './state.ts'

/** All that decides about a migration's next phase. */
export interface Course {
  migration: KubeObject
  vmi: KubeObject
  target: KubeObject | undefined
  /** Whether the volumes that are plugged into the guest are on the target's node as well. */
  isEquipped: boolean
  /** Another migration has the instance. */
  isTaken: boolean
}

export type Turn = { to: string; failure?: string } | { abort: true } | null

export const phaseOfMigration = (migration: KubeObject): string => read.text(read.status(migration).phase)

const beforeTarget = ['', 'Pending']
const handedOver = ['PreparingTarget', 'TargetReady', 'Running']

const isDown = (pod: KubeObject): boolean => isDeleted(pod) || ['Succeeded', 'Failed'].includes(read.text(read.status(pod).phase))

/** What is in the way, in the order in which KubeVirt looks; null when the migration can go on. */
export function failureOf({ migration, vmi, target }: Course): string | null {
  const phase = phaseOfMigration(migration)
  const hasState = migrationStateOf(vmi).migrationUid !== undefined
  if (isFinal(vmi)) return 'Migration failed vmi shutdown during migration.'
  if (isDeleted(migration) && !isOf(vmi, migration)) return 'Migration failed due to being canceled'
  if (isOf(vmi, migration) && migrationStateOf(vmi).completed === true && migrationStateOf(vmi).failed !== true) return null
  if (target && isDown(target)) return 'Migration failed because target pod shutdown during migration'
  if (!beforeTarget.includes(phase) && !target) return 'Migration target pod was removed during active migration.'
  if (handedOver.includes(phase) && !hasState) return "VMI's migration state was cleared during the active migration."
  if (handedOver.includes(phase) && !isOf(vmi, migration))
    return "VMI's migration state was taken over by another migration job during active migration."
  return isOf(vmi, migration) && migrationStateOf(vmi).failed === true ? 'source node reported migration failed' : null
}

/** The next phase, if it is time for one. */
export function turnOf(course: Course): Turn {
  const failure = failureOf(course)
  if (failure !== null) return { to: 'Failed', failure }
  const { migration } = course
  if (isDeleted(migration) && !conditionOf(migration, 'migrationAbortRequested')) return { abort: true }
  const to = turns[phaseOfMigration(migration)]?.(course) ?? null
  if (to === 'taken') return { to: 'Failed', failure: 'VMI is not eligible for migration because another migration job is in progress.' }
  return to === null ? null : { to }
}

const turns: Readonly<Record<string, (course: Course) => string | null>> = {
  '': ({ isTaken }) => (isTaken ? 'taken' : 'Pending'),
  Pending: ({ target, isEquipped }) => (target && isEquipped ? 'Scheduling' : null),
  Scheduling: ({ target, isEquipped }) => (target && isEquipped && isTrue(target, 'Ready') ? 'Scheduled' : null),
  Scheduled: ({ migration, vmi }) => (isOf(vmi, migration) ? 'PreparingTarget' : null),
  PreparingTarget: ({ vmi }) => (read.text(migrationStateOf(vmi).targetNodeAddress) === '' ? null : 'TargetReady'),
  TargetReady: ({ vmi }) => (migrationStateOf(vmi).startTimestamp === undefined ? null : 'Running'),
  Running: ({ vmi }) => (migrationStateOf(vmi).completed === true && !isStillChanging(vmi) ? 'Succeeded' : null),
}

const isStillChanging = (vmi: KubeObject): boolean =>
  conditionOf(vmi, 'HotVCPUChange') !== undefined || isTrue(vmi, 'HotMemoryChange') || isTrue(vmi, 'MigrationRequired')

/** A condition of a migration knows when it was looked at and not when it changed. */
export function withFact(migration: KubeObject, type: string, now: string): JsonMap[] {
  const known = conditionsOf(migration)
  return conditionOf(migration, type) ? known : [...known, { lastProbeTime: now, lastTransitionTime: null, status: 'True', type }]
}
