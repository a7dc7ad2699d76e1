import { clock } from '../../clock.ts'
import { ApiError } from '../../objects/status.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { isDeleted } from '../holds.ts'
import { filled, read } from '../../objects/read.ts'
import { launcherOf, launchersOf } from '../vms/launcher/launchers.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { phaseOf } from '../../objects/vms/phase.ts'
import { conditionsOf } from '../../objects/vms/conditions.ts'
import { handOver, markFailed, markAborted } from './handover.ts'
import { collectFinished } from './finished.ts'
import { migrations, patienceMs } from './queueing.ts'
import { type Course, phaseOfMigration, turnOf, withFact } from './migration-phase.ts'
import { isFinalMigration, isOf, migrationStateOf } from '../../objects/migrations/state.ts'
import { marks, migrationKind } from '../../objects/migrations/names.ts'
import { equipTarget, isEquipped } from './target-volumes.ts'
import { targetOf, targetPodOf } from './target-pod.ts'

const observed = {
  'kubevirt.io/latest-observed-api-version': 'v1',
  'kubevirt.io/storage-observed-api-version': 'v1',
}
const synchronizationAddresses = ['10.244.0.10:9185']
// Set before every migration, because a VMI of an older KubeVirt version may lack it.
const unprivileged = 'kubevirt.io/nonroot'
const lookAgainMs = 1_000

/**
 * Migrates running VMIs: creates the target pod, hands the migration to virt-handler, and follows
 * its progress.
 */
export const migrationController: Controller = {
  name: 'virt-controller',
  sources: [
    { kind: migrationKind, keysOf: ownKey },
    {
      kind: vmiKind,
      keysOf: ({ metadata }, desk) =>
        migrations.of(desk, `${metadata.namespace}/${metadata.name}`).flatMap(ownKey),
    },
    {
      kind: 'pods',
      keysOf: ({ metadata }, desk) =>
        migrations.byUid(desk, metadata.labels?.[marks.job] ?? '').flatMap(ownKey),
    },
  ],
  reconcile(desk, { namespace, name }) {
    const migration = desk.get(migrationKind, namespace, name)
    if (!migration) return undefined
    if (migration.metadata.annotations?.['kubevirt.io/latest-observed-api-version'] === undefined)
      return annotate(desk, migration)
    const vmi = desk.get(vmiKind, namespace, read.text(read.spec(migration).vmiName))
    if (!vmi) return abandon(desk, migration)
    const refusal = isFinalMigration(migration) ? null : advance(desk, migration, vmi)
    return (
      follow(desk, { namespace, name }, refusal) ??
      (isFinalMigration(migration) ? undefined : lookAgainMs)
    )
  },
}

function annotate(desk: Desk, migration: KubeObject): undefined {
  const annotations = { ...migration.metadata.annotations, ...observed }
  desk.change(migrationKind, migration, {
    ...migration,
    metadata: { ...migration.metadata, annotations },
  })
}

function abandon(desk: Desk, migration: KubeObject): undefined {
  if (isDeleted(migration)) desk.release(migrationKind, migration, marks.finalizer)
  else desk.remove(migrationKind, migration)
}

/** Does the work of the current phase; returns why it failed, if so. */
function advance(desk: Desk, migration: KubeObject, vmi: KubeObject): string | null {
  if (isDeleted(vmi) || isTaken(desk, migration, vmi)) return null
  const target = targetOf(desk, vmi, migration)
  const phase = phaseOfMigration(migration)
  if (isOf(vmi, migration)) tendHandedOver(desk, { migration, vmi, target })
  else if (isDeleted(migration) && phase !== '') cancel(desk, migration, target)
  else if (phase === 'Pending')
    return target ? equipTarget(desk, { vmi, launcher: target }) : makeTarget(desk, migration, vmi)
  else if (phase === 'Scheduled' && target) handOver(desk, { migration, vmi, target })
  return null
}

/**
 * After the handover, virt-controller only requests an abort, or reports that the target pod is
 * gone.
 */
function tendHandedOver(
  desk: Desk,
  { migration, vmi, target }: Pick<Course, 'migration' | 'vmi' | 'target'>,
): void {
  if (migrationStateOf(vmi).completed === true) return
  if (phaseOfMigration(migration) === 'Running' && isDeleted(migration))
    markAborted(desk, migration, vmi)
  else if (isGone(target) && migrationStateOf(vmi).startTimestamp === undefined)
    markFailed(desk, migration, vmi)
}

const isGone = (pod: KubeObject | undefined): boolean =>
  !pod || ['Succeeded', 'Failed'].includes(phaseOf(pod))

function isTaken(desk: Desk, migration: KubeObject, vmi: KubeObject): boolean {
  const { migrationUid } = migrationStateOf(vmi)
  if (migrationUid === undefined || migrationUid === migration.metadata.uid) return false
  return migrations.byUid(desk, read.text(migrationUid)).some((each) => !isFinalMigration(each))
}

function cancel(desk: Desk, migration: KubeObject, target: KubeObject | undefined): void {
  if (!target || isDeleted(target)) return
  desk.remove('pods', target)
  const message = `migration canceled and pod ${target.metadata.namespace}/${target.metadata.name} is deleted`
  desk.record(migration, { type: 'Normal', reason: 'SuccessfulDelete', message })
}

function makeTarget(desk: Desk, migration: KubeObject, vmi: KubeObject): string | null {
  if (vmi.metadata.annotations?.[unprivileged] === undefined) {
    const annotations = { ...vmi.metadata.annotations, [unprivileged]: 'true' }
    desk.change(vmiKind, vmi, { ...vmi, metadata: { ...vmi.metadata, annotations } })
  }
  const alive = launchersOf(desk, vmi).filter((pod) => !isGone(pod))
  if (phaseOf(vmi) !== 'Running' || alive.length !== 1 || patienceMs(desk, migration, vmi) > 0)
    return null
  try {
    const pod = desk.create('pods', targetPodOf(desk, vmi, migration))
    desk.record(migration, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created migration target pod ${pod.metadata.name}`,
    })
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    desk.record(vmi, {
      type: 'Warning',
      reason: 'FailedCreate',
      message: `Error creating pod: ${error.message}`,
    })
    return error.message
  }
}

/** Writes the next status of the migration, with one write per reconcile. */
function follow(
  desk: Desk,
  { namespace, name }: { namespace: string | undefined; name: string },
  refusal: string | null,
): undefined {
  const migration = desk.get(migrationKind, namespace, name)
  const vmi = migration && desk.get(vmiKind, namespace, read.text(read.spec(migration).vmiName))
  if (!migration || !vmi) return
  if (isFinalMigration(migration)) return finish(desk, migration, vmi)
  const target = targetOf(desk, vmi, migration)
  const course = {
    migration,
    vmi,
    target,
    isTaken: isTaken(desk, migration, vmi),
    isEquipped: isEquipped(desk, vmi, target),
  }
  desk.setStatus(migrationKind, migration, statusOf(desk, course, refusal))
}

function statusOf(desk: Desk, course: Course, refusal: string | null): JsonMap {
  const { migration } = course
  const now = clock.timestamp()
  const turn = turnOf(course)
  const status: JsonMap = { ...read.status(migration), synchronizationAddresses }
  if (turn === null)
    return refusal?.includes('exceeded quota')
      ? { ...status, conditions: withFact(migration, overQuota, now) }
      : status
  if ('abort' in turn) return { ...status, conditions: withFact(migration, aborting, now) }
  announce(desk, migration, turn)
  const transitions = [
    ...read.maps(status.phaseTransitionTimestamps),
    { phase: turn.to, phaseTransitionTimestamp: now },
  ]
  const conditions = conditionsAfter(course, turn.to, now)
  return filled({
    ...status,
    phase: turn.to,
    phaseTransitionTimestamps: transitions,
    migrationState:
      turn.to === 'Pending'
        ? { sourcePod: launcherOf(desk, course.vmi)?.metadata.name ?? '' }
        : status.migrationState,
    conditions: conditions.length > 0 ? conditions : undefined,
  })
}

function announce(
  desk: Desk,
  migration: KubeObject,
  { to, failure }: { to: string; failure?: string },
): void {
  const done = 'Source node reported migration succeeded'
  if (failure !== undefined)
    desk.record(migration, { type: 'Warning', reason: 'FailedMigration', message: failure })
  if (to === 'Succeeded')
    desk.record(migration, { type: 'Normal', reason: 'SuccessfulMigration', message: done })
}

const overQuota = 'migrationRejectedByResourceQuota'
const aborting = 'migrationAbortRequested'

function conditionsAfter({ migration }: Course, phase: string, now: string): JsonMap[] {
  if (phase === 'Failed' && isDeleted(migration)) return withFact(migration, aborting, now)
  return conditionsOf(migration).filter(({ type }) => phase !== 'Scheduled' || type !== overQuota)
}

/** Copies the final migration state of the VMI into the migration, then releases its finalizer. */
function finish(desk: Desk, migration: KubeObject, vmi: KubeObject): undefined {
  const status = read.status(migration)
  const { completed } = migrationStateOf(vmi)
  if (
    isOf(vmi, migration) &&
    completed === true &&
    read.at(status, 'migrationState', 'completed') !== true
  ) {
    desk.setStatus(migrationKind, migration, { ...status, migrationState: migrationStateOf(vmi) })
    return
  }
  if (isOf(vmi, migration) && completed !== true) markFailed(desk, migration, vmi)
  desk.release(migrationKind, migration, marks.finalizer)
  collectFinished(desk, vmi)
}
