import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { read } from '../read.ts'

export const migrationKind = 'virtualmachineinstancemigrations.kubevirt.io'
export const migrationFinalizer = 'kubevirt.io/migrationJobFinalize'
export const vmiLabel = 'kubevirt.io/vmi-name'
export const jobLabel = 'kubevirt.io/migrationJobUID'
export const targetNodeLabel = 'kubevirt.io/migrationTargetNodeName'

export const isFinalMigration = ({ status }: KubeObject): boolean => ['Succeeded', 'Failed'].includes(read.text(read.map(status).phase))

export const migrationStateOf = (vmi: KubeObject): JsonMap => read.map(read.status(vmi).migrationState)

/** From the first byte that is copied until the guest runs there, or stays here. */
export function isMigrating(vmi: KubeObject): boolean {
  const { startTimestamp, endTimestamp } = migrationStateOf(vmi)
  return startTimestamp !== undefined && endTimestamp === undefined
}

/** Whether the instance's state is of this migration and not of another one. */
export const isOf = (vmi: KubeObject, migration: KubeObject): boolean => migrationStateOf(vmi).migrationUid === migration.metadata.uid

/** How the cluster is set up to migrate; nobody changes it here. */
export const configuration = {
  allowAutoConverge: false,
  allowPostCopy: false,
  allowWorkloadDisruption: false,
  bandwidthPerMigration: '0',
  completionTimeoutPerGiB: 150,
  maxDowntimeMs: 900,
  nodeDrainTaintKey: 'kubevirt.io/drain',
  parallelMigrationsPerCluster: 5,
  parallelOutboundMigrationsPerNode: 2,
  progressTimeout: 150,
  unsafeMigrationOverride: false,
  utilityVolumesTimeout: 150,
} satisfies JsonMap
