import {
  anything,
  atomicList,
  atomicTexts,
  each,
  empty,
  flag,
  int,
  int64,
  list,
  nullable,
  object,
  structOf,
  text,
  textMap,
  time,
  withDefault,
} from '../../objects/schema.ts'
import { condition } from '../shared.ts'
import { templateSpec } from '../cdi/data-volume.ts'
import { disk } from './disks.ts'
import { changedBlockTracking, migratedVolumes } from './vmi.ts'
import { vmiSpec } from './vmi-spec.ts'
import { claimVolume, dataVolumeVolume } from './volumes.ts'

/* Schema of the kind VirtualMachine, as KubeVirt's CRD declares it. */

const matcher = each(text, 'inferFromVolume', 'inferFromVolumeFailurePolicy', 'kind', 'name')
const namedKind = object({ ...matcher, revisionName: text })
const resolvedKind = nullable(object({ ...matcher, controllerRevisionRef: structOf(text, 'name') }))

/** The CRD leaves this metadata open. KubeVirt's webhooks check it. */
export const looseMetadata = nullable(anything)

export const vmSpec = object(
  {
    dataVolumeTemplates: list(
      nullable(
        object(
          {
            ...each(text, 'apiVersion', 'kind'),
            metadata: looseMetadata,
            spec: templateSpec,
            status: nullable(empty),
          },
          'spec',
        ),
      ),
    ),
    instancetype: namedKind,
    preference: namedKind,
    ...each(text, 'runStrategy', 'updateVolumesStrategy'),
    running: flag,
    template: object({ metadata: looseMetadata, spec: vmiSpec }),
  },
  'template',
)

const memoryDumpRequest = object(
  {
    ...each(text, 'claimName', 'fileName', 'message', 'phase'),
    remove: flag,
    ...each(time, 'startTimestamp', 'endTimestamp'),
  },
  'claimName',
  'phase',
)

const volumeRequest = object({
  addVolumeOptions: object(
    {
      disk,
      dryRun: atomicTexts,
      name: text,
      volumeSource: object({ dataVolume: dataVolumeVolume, persistentVolumeClaim: claimVolume }),
    },
    'disk',
    'name',
    'volumeSource',
  ),
  removeVolumeOptions: object({ dryRun: atomicTexts, name: text }, 'name'),
})

export const vmStatus = object({
  changedBlockTracking,
  conditions: list(condition),
  ...each(flag, 'created', 'ready'),
  ...each(int64, 'desiredGeneration', 'observedGeneration'),
  instancetypeRef: resolvedKind,
  preferenceRef: resolvedKind,
  memoryDumpRequest: nullable(memoryDumpRequest),
  printableStatus: withDefault('Stopped', text),
  ...each(text, 'restoreInProgress', 'runStrategy', 'snapshotInProgress'),
  startFailure: nullable(
    object({ consecutiveFailCount: int, lastFailedVMIUID: text, retryAfterTimestamp: time }),
  ),
  stateChangeRequests: list(object({ ...each(text, 'action', 'uid'), data: textMap }, 'action')),
  volumeRequests: atomicList(volumeRequest),
  volumeSnapshotStatuses: list(
    object({ enabled: flag, ...each(text, 'name', 'reason') }, 'enabled', 'name'),
  ),
  volumeUpdateState: object({ volumeMigrationState: object({ migratedVolumes }) }),
})

export const virtualMachine = object({ spec: vmSpec, status: vmStatus }, 'spec')
