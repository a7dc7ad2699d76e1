import {
  atomicList,
  atomicTexts,
  each,
  flag,
  int32,
  int64,
  list,
  nullable,
  object,
  quantities,
  quantity,
  structOf,
  text,
  textMap,
  texts,
  time,
  uint32,
} from '../../objects/schema.ts'
import { condition } from '../shared.ts'
import { typed } from './devices.ts'
import { migrationState, phaseTransitions } from './migration.ts'
import { vmiSpec } from './vmi-spec.ts'

/* Schema of the kind VirtualMachineInstance, as KubeVirt's CRD declares it. */

const backupStatus = object({
  ...each(text, 'backupMsg', 'backupName', 'checkpointName', 'quiesceStatus'),
  ...each(flag, 'completed', 'failed'),
  ...each(time, 'startTimestamp', 'endTimestamp'),
  volumes: atomicList(object({ volumeName: text }, 'volumeName')),
})

export const changedBlockTracking = nullable(
  object({ backupStatus: nullable(backupStatus), state: text }, 'state'),
)

const claimInfo = object({
  accessModes: atomicTexts,
  ...each(quantities, 'capacity', 'requests'),
  ...each(text, 'claimName', 'volumeMode'),
  filesystemOverhead: { ...text, pattern: String.raw`^(0(?:\.\d{1,3})?|1)$` },
  preallocated: flag,
})

export const migratedVolumes = atomicList(
  object(
    { ...each(claimInfo, 'sourcePVCInfo', 'destinationPVCInfo'), volumeName: text },
    'volumeName',
  ),
)

const checksum = structOf(uint32, 'checksum')

const networkInterface = object({
  ...each(
    text,
    'infoSource',
    'interfaceName',
    'ipAddress',
    'linkState',
    'mac',
    'name',
    'podInterfaceName',
  ),
  ipAddresses: texts,
  queueCount: int32,
})

const volumeStatus = object(
  {
    ...each(text, 'name', 'target', 'phase', 'reason', 'message'),
    containerDiskVolume: checksum,
    hotplugVolume: structOf(text, 'attachPodName', 'attachPodUID'),
    memoryDumpVolume: object({
      ...each(text, 'claimName', 'targetFileName'),
      ...each(time, 'startTimestamp', 'endTimestamp'),
    }),
    persistentVolumeClaimInfo: claimInfo,
    size: int64,
  },
  'name',
  'target',
)

const status = object({
  VSOCKCID: uint32,
  activePods: textMap,
  changedBlockTracking,
  conditions: list(condition),
  currentCPUTopology: structOf(int32, 'cores', 'sockets', 'threads'),
  ...each(
    text,
    'evacuationNodeName',
    'fsFreezeStatus',
    'launcherContainerImageVersion',
    'migrationMethod',
    'migrationTransport',
  ),
  ...each(
    text,
    'nodeName',
    'phase',
    'qosClass',
    'reason',
    'selinuxContext',
    'virtualMachineRevisionName',
  ),
  guestOSInfo: structOf(
    text,
    'id',
    'kernelRelease',
    'kernelVersion',
    'machine',
    'name',
    'prettyName',
    'version',
    'versionId',
  ),
  interfaces: list(networkInterface),
  kernelBootStatus: structOf(checksum, 'initrdInfo', 'kernelInfo'),
  machine: typed,
  memory: structOf(quantity, 'guestAtBoot', 'guestCurrent', 'guestRequested', 'memoryOverhead'),
  migratedVolumes,
  migrationState,
  phaseTransitionTimestamps: phaseTransitions,
  runtimeUser: int64,
  topologyHints: structOf(int64, 'tscFrequency'),
  volumeStatus: atomicList(volumeStatus),
})

export const virtualMachineInstance = object({ spec: vmiSpec, status }, 'spec')
