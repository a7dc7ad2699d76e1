import {
  anything,
  atomicList,
  atomicTexts,
  each,
  flag,
  nullable,
  object,
  oneOf,
  setOf,
  structOf,
  text,
  textMap,
  time,
  withDefault,
} from '../../objects/schema.ts'
import { condition, typedReference } from '../shared.ts'
import { claimSpec } from '../cdi/data-volume.ts'
import { looseMetadata, vmSpec, vmStatus } from './vm.ts'

/* Schemas of the kinds of `snapshot.kubevirt.io`, as KubeVirt's CRDs declare them. */

const conditions = atomicList(condition)
const error = object({ message: text, time })
const creationTime = nullable(time)

export const virtualMachineSnapshot = object(
  {
    spec: object(
      { ...each(text, 'deletionPolicy', 'failureDeadline'), source: typedReference },
      'source',
    ),
    status: object({
      conditions,
      creationTime,
      error,
      indications: setOf(text),
      ...each(text, 'phase', 'sourceUID', 'virtualMachineSnapshotContentName'),
      readyToUse: flag,
      snapshotVolumes: structOf(setOf(text), 'excludedVolumes', 'includedVolumes'),
      sourceIndications: atomicList(
        object(each(text, 'indication', 'message'), 'indication', 'message'),
      ),
    }),
  },
  'spec',
)

const volumeBackup = object(
  {
    persistentVolumeClaim: object({ metadata: anything, spec: claimSpec }),
    ...each(text, 'volumeName', 'volumeSnapshotName'),
  },
  'persistentVolumeClaim',
  'volumeName',
)

const volumeSnapshotStatus = object(
  { creationTime, error, readyToUse: flag, volumeSnapshotName: text },
  'volumeSnapshotName',
)

export const virtualMachineSnapshotContent = object(
  {
    spec: object(
      {
        source: object({
          virtualMachine: object({ metadata: looseMetadata, spec: vmSpec, status: vmStatus }),
        }),
        virtualMachineSnapshotName: text,
        volumeBackups: atomicList(volumeBackup),
      },
      'source',
    ),
    status: object({
      creationTime,
      error,
      readyToUse: flag,
      volumeSnapshotStatus: atomicList(volumeSnapshotStatus),
    }),
  },
  'spec',
)

export const virtualMachineRestore = object(
  {
    spec: object(
      {
        patches: atomicTexts,
        target: typedReference,
        targetReadinessPolicy: withDefault(
          'WaitGracePeriod',
          oneOf('StopTarget', 'WaitGracePeriod', 'FailImmediate', 'WaitEventually'),
        ),
        ...each(text, 'virtualMachineSnapshotName', 'volumeOwnershipPolicy', 'volumeRestorePolicy'),
        volumeRestoreOverrides: atomicList(
          object({
            ...each(textMap, 'annotations', 'labels'),
            ...each(text, 'restoreName', 'volumeName'),
          }),
        ),
      },
      'target',
      'virtualMachineSnapshotName',
    ),
    status: object({
      complete: flag,
      conditions,
      deletedDataVolumes: setOf(text),
      restoreTime: time,
      restores: atomicList(
        object(
          each(text, 'dataVolumeName', 'persistentVolumeClaim', 'volumeName', 'volumeSnapshotName'),
          'persistentVolumeClaim',
          'volumeName',
          'volumeSnapshotName',
        ),
      ),
    }),
  },
  'spec',
)
