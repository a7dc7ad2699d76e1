import { clock } from '../../clock.ts'
import { ApiError } from '../../objects/status.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { filled, read } from '../../objects/read.ts'
import { launcherOf, launchersOf } from '../vms/launcher/launchers.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { phaseOf } from '../../objects/vms/phase.ts'
import { conditionsOf } from '../../objects/vms/conditions.ts'
import { handOver, markFailed, markAborted } from './handover.ts'
import { collectFinished } from './finished.ts'
import { migrations, queueDelayMs } from './queueing.ts'
import {
  type MigrationContext,
  phaseOfMigration,
  phaseChangeOf,
  withMigrationCondition,
} from './migration-phase.ts'
import {
  isFinalMigration,
  belongsToMigration,
  migrationStateOf,
} from '../../objects/migrations/state.ts'
import { migrationKeys, migrationKind } from '../../objects/migrations/names.ts'
import { attachTargetVolumes, hasTargetVolumes } from './target-volumes.ts'
import { targetOf, targetPodOf } from './target-pod.ts'

const observed = {
  'kubevirt.io/latest-observed-api-version': 'v1',
  'kubevirt.io/storage-observed-api-version': 'v1',
}
const synchronizationAddresses = ['10.244.0.10:9185']
// Set before every migration, because a VMI of an older KubeVirt version may lack it.
const unprivileged = 'kubevirt.io/nonroot'
const recheckMs = 1_000

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
      keysOf: ({ metadata }, client) =>
        migrations.of(client, `${metadata.namespace}/${metadata.name}`).flatMap(ownKey),
    },
    {
      kind: 'pods',
      keysOf: ({ metadata }, client) =>
        migrations.byUid(client, metadata.labels?.[migrationKeys.job] ?? '').flatMap(ownKey),
    },
  ],
  reconcile(client, { namespace, name }) {
    const migration = client.get(migrationKind, namespace, name)
    if (!migration) return undefined
    if (migration.metadata.annotations?.['kubevirt.io/latest-observed-api-version'] === undefined)
      return annotate(client, migration)
    const vmi = client.get(vmiKind, namespace, read.text(read.spec(migration).vmiName))
    if (!vmi) return dropWithoutVmi(client, migration)
    const refusal = isFinalMigration(migration) ? null : advance(client, migration, vmi)
    return (
      follow(client, { namespace, name }, refusal) ??
      (isFinalMigration(migration) ? undefined : recheckMs)
    )
  },
}

function annotate(client: Client, migration: KubeObject): undefined {
  const annotations = { ...migration.metadata.annotations, ...observed }
  client.change(migrationKind, migration, {
    ...migration,
    metadata: { ...migration.metadata, annotations },
  })
}

function dropWithoutVmi(client: Client, migration: KubeObject): undefined {
  if (isDeleted(migration)) client.release(migrationKind, migration, migrationKeys.finalizer)
  else client.remove(migrationKind, migration)
}

/** Does the work of the current phase; returns why it failed, if so. */
function advance(client: Client, migration: KubeObject, vmi: KubeObject): string | null {
  if (isDeleted(vmi) || isTaken(client, migration, vmi)) return null
  const target = targetOf(client, vmi, migration)
  const phase = phaseOfMigration(migration)
  if (belongsToMigration(vmi, migration)) superviseHandedOver(client, { migration, vmi, target })
  else if (isDeleted(migration) && phase !== '') cancel(client, migration, target)
  else if (phase === 'Pending')
    return target
      ? attachTargetVolumes(client, { vmi, launcher: target })
      : makeTarget(client, migration, vmi)
  else if (phase === 'Scheduled' && target) handOver(client, { migration, vmi, target })
  return null
}

/**
 * After the handover, virt-controller only requests an abort, or reports that the target pod is
 * gone.
 */
function superviseHandedOver(
  client: Client,
  { migration, vmi, target }: Pick<MigrationContext, 'migration' | 'vmi' | 'target'>,
): void {
  if (migrationStateOf(vmi).completed === true) return
  if (phaseOfMigration(migration) === 'Running' && isDeleted(migration))
    markAborted(client, migration, vmi)
  else if (hasEnded(target) && migrationStateOf(vmi).startTimestamp === undefined)
    markFailed(client, migration, vmi)
}

const hasEnded = (pod: KubeObject | undefined): boolean =>
  !pod || ['Succeeded', 'Failed'].includes(phaseOf(pod))

function isTaken(client: Client, migration: KubeObject, vmi: KubeObject): boolean {
  const { migrationUid } = migrationStateOf(vmi)
  if (migrationUid === undefined || migrationUid === migration.metadata.uid) return false
  return migrations.byUid(client, read.text(migrationUid)).some((each) => !isFinalMigration(each))
}

function cancel(client: Client, migration: KubeObject, target: KubeObject | undefined): void {
  if (!target || isDeleted(target)) return
  client.remove('pods', target)
  const message = `migration canceled and pod ${target.metadata.namespace}/${target.metadata.name} is deleted`
  client.record(migration, { type: 'Normal', reason: 'SuccessfulDelete', message })
}

function makeTarget(client: Client, migration: KubeObject, vmi: KubeObject): string | null {
  if (vmi.metadata.annotations?.[unprivileged] === undefined) {
    const annotations = { ...vmi.metadata.annotations, [unprivileged]: 'true' }
    client.change(vmiKind, vmi, { ...vmi, metadata: { ...vmi.metadata, annotations } })
  }
  const alive = launchersOf(client, vmi).filter((pod) => !hasEnded(pod))
  if (phaseOf(vmi) !== 'Running' || alive.length !== 1 || queueDelayMs(client, migration, vmi) > 0)
    return null
  try {
    const pod = client.create('pods', targetPodOf(client, vmi, migration))
    client.record(migration, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created migration target pod ${pod.metadata.name}`,
    })
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    client.record(vmi, {
      type: 'Warning',
      reason: 'FailedCreate',
      message: `Error creating pod: ${error.message}`,
    })
    return error.message
  }
}

/** Writes the next status of the migration, with one write per reconcile. */
function follow(
  client: Client,
  { namespace, name }: { namespace: string | undefined; name: string },
  refusal: string | null,
): undefined {
  const migration = client.get(migrationKind, namespace, name)
  const vmi = migration && client.get(vmiKind, namespace, read.text(read.spec(migration).vmiName))
  if (!migration || !vmi) return
  if (isFinalMigration(migration)) return finish(client, migration, vmi)
  const target = targetOf(client, vmi, migration)
  const context = {
    migration,
    vmi,
    target,
    isVmiTaken: isTaken(client, migration, vmi),
    areVolumesAttached: hasTargetVolumes(client, vmi, target),
  }
  client.setStatus(migrationKind, migration, statusOf(client, context, refusal))
}

function statusOf(client: Client, context: MigrationContext, refusal: string | null): JsonMap {
  const { migration } = context
  const now = clock.timestamp()
  const change = phaseChangeOf(context)
  const status: JsonMap = { ...read.status(migration), synchronizationAddresses }
  if (change === null)
    return refusal?.includes('exceeded quota')
      ? { ...status, conditions: withMigrationCondition(migration, overQuota, now) }
      : status
  if ('abort' in change)
    return { ...status, conditions: withMigrationCondition(migration, aborting, now) }
  recordEvents(client, migration, change)
  const transitions = [
    ...read.maps(status.phaseTransitionTimestamps),
    { phase: change.to, phaseTransitionTimestamp: now },
  ]
  const conditions = conditionsAfter(context, change.to, now)
  return filled({
    ...status,
    phase: change.to,
    phaseTransitionTimestamps: transitions,
    migrationState:
      change.to === 'Pending'
        ? { sourcePod: launcherOf(client, context.vmi)?.metadata.name ?? '' }
        : status.migrationState,
    conditions: conditions.length > 0 ? conditions : undefined,
  })
}

function recordEvents(
  client: Client,
  migration: KubeObject,
  { to, failure }: { to: string; failure?: string },
): void {
  const done = 'Source node reported migration succeeded'
  if (failure !== undefined)
    client.record(migration, { type: 'Warning', reason: 'FailedMigration', message: failure })
  if (to === 'Succeeded')
    client.record(migration, { type: 'Normal', reason: 'SuccessfulMigration', message: done })
}

const overQuota = 'migrationRejectedByResourceQuota'
const aborting = 'migrationAbortRequested'

function conditionsAfter({ migration }: MigrationContext, phase: string, now: string): JsonMap[] {
  if (phase === 'Failed' && isDeleted(migration))
    return withMigrationCondition(migration, aborting, now)
  return conditionsOf(migration).filter(({ type }) => phase !== 'Scheduled' || type !== overQuota)
}

/** Copies the final migration state of the VMI into the migration, then releases its finalizer. */
function finish(client: Client, migration: KubeObject, vmi: KubeObject): undefined {
  const status = read.status(migration)
  const { completed } = migrationStateOf(vmi)
  if (
    belongsToMigration(vmi, migration) &&
    completed === true &&
    read.at(status, 'migrationState', 'completed') !== true
  ) {
    client.setStatus(migrationKind, migration, { ...status, migrationState: migrationStateOf(vmi) })
    return
  }
  if (belongsToMigration(vmi, migration) && completed !== true) markFailed(client, migration, vmi)
  client.release(migrationKind, migration, migrationKeys.finalizer)
  collectFinished(client, vmi)
}
