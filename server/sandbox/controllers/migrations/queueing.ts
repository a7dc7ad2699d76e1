import { clock } from '../../clock.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { read } from '../../objects/read.ts'
import { indexed } from '../store-index.ts'
import { configuration, migrationKind } from '../../objects/migrations/names.ts'
import { isFinalMigration } from '../../objects/migrations/state.ts'

/*
 * The number of concurrent migrations is limited for the cluster and for each source node. The
 * remaining ones wait as Pending.
 */

const vmiOf = (migration: KubeObject): string =>
  `${migration.metadata.namespace}/${read.text(read.spec(migration).vmiName)}`
const sourceOf = (vmi: KubeObject): string => read.text(read.status(vmi).nodeName)

export const migrations = {
  /** Indexed by namespace and name of the VMI. */
  of: indexed(migrationKind, (migration) => [vmiOf(migration)]),
  byUid: indexed(migrationKind, ({ metadata: { uid = '' } }) => [uid]),
  running: indexed(migrationKind, (migration) => (isRunning(migration) ? ['yes'] : [])),
}

const isRunning = (migration: KubeObject): boolean =>
  !isFinalMigration(migration) && !['', 'Pending'].includes(read.text(read.status(migration).phase))

/** The milliseconds that a migration still has to wait; 0 when it may start. */
export function queueDelayMs(client: Client, migration: KubeObject, vmi: KubeObject): number {
  const running = migrations.running(client, 'yes')
  const away = running.filter((each) => sourceNode(client, each) === sourceOf(vmi))
  const isBusy =
    running.length >= configuration.parallelMigrationsPerCluster ||
    away.length >= configuration.parallelOutboundMigrationsPerNode
  return isBusy ? busyMs : backOffMs(client, migration)
}

const busyMs = 1_000

function sourceNode(client: Client, migration: KubeObject): string {
  const vmi = client.get(
    'virtualmachineinstances.kubevirt.io',
    migration.metadata.namespace,
    read.text(read.spec(migration).vmiName),
  )
  return vmi ? sourceOf(vmi) : ''
}

const automatic = ['kubevirt.io/evacuationMigration', 'kubevirt.io/workloadUpdateMigration']
const isAutomatic = ({ metadata }: KubeObject): boolean =>
  automatic.some((name) => metadata.annotations?.[name] !== undefined)

/** Automatic migrations are retried with exponential backoff after a failure. */
function backOffMs(client: Client, migration: KubeObject): number {
  if (!isAutomatic(migration)) return 0
  const before = migrations
    .of(client, vmiOf(migration))
    .filter((each) => each !== migration && isAutomatic(each) && !isDeleted(each))
  const recent = before.sort((a, b) => failedAtMs(b) - failedAtMs(a))
  const succeeded = recent.findIndex((each) => read.status(each).phase === 'Succeeded')
  const failures = recent
    .slice(0, succeeded < 0 ? recent.length : succeeded)
    .filter((each) => read.status(each).phase === 'Failed')
  const [last] = failures
  if (!last) return 0
  return Math.max(
    0,
    failedAtMs(last) +
      client.world.pace.msOf('migrateAgain') * 2 ** (failures.length - 1) -
      clock.nowMs(),
  )
}

function failedAtMs(migration: KubeObject): number {
  const ends = read
    .maps(read.status(migration).phaseTransitionTimestamps)
    .filter(({ phase }) => phase === 'Failed' || phase === 'Succeeded')
  return Date.parse(read.text(ends[0]?.phaseTransitionTimestamp)) || 0
}
