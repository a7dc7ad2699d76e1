import {
  atomicList,
  atomicTexts,
  each,
  flag,
  int,
  int32,
  int64,
  list,
  mapOf,
  nullable,
  object,
  oneOf,
  quantity,
  text,
  textMap,
  time,
  within,
} from '../../objects/schema.ts'
import { condition } from '../shared.ts'

/* Schema of the kind VirtualMachineInstanceMigration, and parts of it that other kinds show. */

/** A cluster's settings for migrations. Each migration carries a copy of them. */
export const migrationSettings = {
  ...each(flag, 'allowAutoConverge', 'allowPostCopy', 'allowWorkloadDisruption', 'disableTLS'),
  ...each(flag, 'matchSELinuxLevelOnMigration', 'unsafeMigrationOverride'),
  ...each(int32, 'parallelMigrationsPerCluster', 'parallelOutboundMigrationsPerNode'),
  ...each(int64, 'completionTimeoutPerGiB', 'progressTimeout', 'utilityVolumesTimeout'),
  ...each(text, 'network', 'nodeDrainTaintKey'),
  bandwidthPerMigration: quantity,
  maxDowntimeMs: within(int64, 1, 2_000_000),
}

const experimental = object({
  compression: oneOf('none', 'zstd'),
  downtimeTuning: object({
    ...each(within(int32, 1), 'cooldownSeconds', 'steps'),
    ...each(within(int64, 1), 'initialMs', 'startAfterIteration'),
  }),
  stallDetector: object({
    ...each(
      quantity,
      'completionTimeoutFactor',
      'ewmaAlpha',
      'patienceWindowDecayFactor',
      'precopyPossibleFactor',
    ),
    ...each(within(int64, 0), 'stallProgressTimeout', 'switchoverTimeout'),
    searchLocalMinima: flag,
    stallMargin: within(int64, 0, 100),
  }),
})

/** Fields that both the source and the target of a migration report. */
const end = {
  ...each(
    text,
    'domainName',
    'domainNamespace',
    'migrationUID',
    'node',
    'persistentStatePVCName',
    'pod',
  ),
  ...each(text, 'selinuxContext', 'syncAddress', 'virtualMachineInstanceUID'),
}

const targetEnd = object({
  ...end,
  ...each(text, 'attachmentPodUID', 'nodeAddress', 'nodeTopology'),
  cpuSet: atomicList(int),
  directMigrationNodePorts: mapOf(int),
  domainDetected: flag,
  domainReadyTimestamp: time,
})

export const migrationState = object({
  ...each(flag, 'abortRequested', 'completed', 'failed', 'targetNodeDomainDetected'),
  ...each(
    text,
    'abortStatus',
    'failureReason',
    'migrationNetworkType',
    'migrationPolicyName',
    'migrationUid',
    'mode',
  ),
  ...each(text, 'sourceNode', 'sourcePersistentStatePVCName', 'sourcePod'),
  ...each(text, 'targetAttachmentPodUID', 'targetNode', 'targetNodeAddress', 'targetNodeTopology'),
  ...each(text, 'targetPersistentStatePVCName', 'targetPod'),
  ...each(nullable(time), 'startTimestamp', 'endTimestamp'),
  migrationConfiguration: object({ ...migrationSettings, experimental }),
  sourceState: object({ ...end, nodeSelectors: textMap }),
  targetState: targetEnd,
  targetCPUSet: atomicList(int),
  targetDirectMigrationNodePorts: mapOf(int),
  targetMemoryOverhead: quantity,
  targetNodeDomainReadyTimestamp: time,
})

export const phaseTransitions = atomicList(object({ phase: text, phaseTransitionTimestamp: time }))

export const virtualMachineInstanceMigration = object(
  {
    spec: object({
      addedNodeSelector: textMap,
      ...each(text, 'priority', 'vmiName'),
      receive: object({ migrationID: text }, 'migrationID'),
      sendTo: object(each(text, 'connectURL', 'migrationID'), 'connectURL', 'migrationID'),
    }),
    status: object({
      conditions: list(condition),
      migrationState,
      phase: text,
      phaseTransitionTimestamps: phaseTransitions,
      synchronizationAddresses: atomicTexts,
    }),
  },
  'spec',
)
