import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { isDeleted } from '../finalizers.ts'
import { read } from '../../objects/read.ts'
import { conditionOf, conditionsOf, isTrue } from '../../objects/vms/conditions.ts'
import { isFinal } from '../../objects/vms/phase.ts'
import { belongsToMigration, migrationStateOf } from '../../objects/migrations/state.ts'

/** The inputs that decide the next phase of a migration. */
export interface MigrationContext {
  migration: KubeObject
  vmi: KubeObject
  target: KubeObject | undefined
  /** True when the hotplugged volumes are attached on the target node, too. */
  areVolumesAttached: boolean
  /** True when another migration has the VMI. */
  isVmiTaken: boolean
}

/** The decision on a migration: its next phase, its abortion, or null for no change. */
export type PhaseChange = { to: string; failure?: string } | { abort: true } | null

export const phaseOfMigration = (migration: KubeObject): string =>
  read.text(read.status(migration).phase)

const beforeTarget = ['', 'Pending']
const handedOver = ['PreparingTarget', 'TargetReady', 'Running']

const isDown = (pod: KubeObject): boolean =>
  isDeleted(pod) || ['Succeeded', 'Failed'].includes(read.text(read.status(pod).phase))

/** In the order of KubeVirt's checks: the migration fails with the first that holds. */
const failures: readonly (readonly [
  sentence: string,
  holds: (context: MigrationContext) => boolean,
])[] = [
  ['Migration failed vmi shutdown during migration.', ({ vmi }) => isFinal(vmi)],
  [
    'Migration failed due to being canceled',
    ({ migration, vmi }) => isDeleted(migration) && !belongsToMigration(vmi, migration),
  ],
  [
    'Migration failed because target pod shutdown during migration',
    ({ target }) => target !== undefined && isDown(target),
  ],
  [
    'Migration target pod was removed during active migration.',
    ({ migration, target }) => !beforeTarget.includes(phaseOfMigration(migration)) && !target,
  ],
  [
    "VMI's migration state was cleared during the active migration.",
    ({ migration, vmi }) => isHandedOver(migration) && !hasState(vmi),
  ],
  [
    "VMI's migration state was taken over by another migration job during active migration.",
    ({ migration, vmi }) => isHandedOver(migration) && !belongsToMigration(vmi, migration),
  ],
  [
    'source node reported migration failed',
    ({ migration, vmi }) =>
      belongsToMigration(vmi, migration) && migrationStateOf(vmi).failed === true,
  ],
]

const isHandedOver = (migration: KubeObject): boolean =>
  handedOver.includes(phaseOfMigration(migration))
const hasState = (vmi: KubeObject): boolean => migrationStateOf(vmi).migrationUid !== undefined

/** A completed migration cannot fail any more, even if its pods do. */
function hasArrived({ migration, vmi }: MigrationContext): boolean {
  const { completed, failed } = migrationStateOf(vmi)
  return (
    !isFinal(vmi) && belongsToMigration(vmi, migration) && completed === true && failed !== true
  )
}

const failureOf = (context: MigrationContext): string | null =>
  hasArrived(context) ? null : (failures.find(([, holds]) => holds(context))?.[0] ?? null)

/** The next phase of the migration; null when it stays in its phase. */
export function phaseChangeOf(context: MigrationContext): PhaseChange {
  const failure = failureOf(context)
  if (failure !== null) return { to: 'Failed', failure }
  const { migration } = context
  if (isDeleted(migration) && !conditionOf(migration, 'migrationAbortRequested'))
    return { abort: true }
  const to = turns[phaseOfMigration(migration)]?.(context) ?? null
  if (to === 'taken')
    return {
      to: 'Failed',
      failure: 'VMI is not eligible for migration because another migration job is in progress.',
    }
  return to === null ? null : { to }
}

const turns: Readonly<Record<string, (context: MigrationContext) => string | null>> = {
  '': ({ isVmiTaken }) => (isVmiTaken ? 'taken' : 'Pending'),
  Pending: ({ target, areVolumesAttached }) => (target && areVolumesAttached ? 'Scheduling' : null),
  Scheduling: ({ target, areVolumesAttached }) =>
    target && areVolumesAttached && isTrue(target, 'Ready') ? 'Scheduled' : null,
  Scheduled: ({ migration, vmi }) =>
    belongsToMigration(vmi, migration) ? 'PreparingTarget' : null,
  PreparingTarget: ({ vmi }) =>
    read.text(migrationStateOf(vmi).targetNodeAddress) === '' ? null : 'TargetReady',
  TargetReady: ({ vmi }) => (migrationStateOf(vmi).startTimestamp === undefined ? null : 'Running'),
  Running: ({ vmi }) =>
    migrationStateOf(vmi).completed === true && !isStillChanging(vmi) ? 'Succeeded' : null,
}

const isStillChanging = (vmi: KubeObject): boolean =>
  conditionOf(vmi, 'HotVCPUChange') !== undefined ||
  isTrue(vmi, 'HotMemoryChange') ||
  isTrue(vmi, 'MigrationRequired')

/** Adds a condition. Conditions of migrations have a probe time and no transition time. */
export function withMigrationCondition(
  migration: KubeObject,
  type: string,
  now: string,
): JsonMap[] {
  const known = conditionsOf(migration)
  return conditionOf(migration, type)
    ? known
    : [...known, { lastProbeTime: now, lastTransitionTime: null, status: 'True', type }]
}
