import { type JsonMap } from '../types.ts'

export const migrationKind = 'virtualmachineinstancemigrations.kubevirt.io'

/** The finalizer and labels of migrations. */
export const migrationKeys = {
  finalizer: 'kubevirt.io/migrationJobFinalize',
  vmi: 'kubevirt.io/vmi-name',
  job: 'kubevirt.io/migrationJobUID',
  targetNode: 'kubevirt.io/migrationTargetNodeName',
} as const

/** The migration configuration of the cluster, which cannot be changed. */
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
