import { type PrinterColumn } from '../objects/resource.ts'

type Described = Pick<PrinterColumn, 'description' | 'priority'>

const column =
  (type: PrinterColumn['type']) =>
  (name: string, path: string, more: Described = {}): PrinterColumn => ({
    name,
    type,
    path,
    ...more,
  })

const [text, flag, int, date] = [
  column('string'),
  column('boolean'),
  column('integer'),
  column('date'),
]

const age = date('Age', '.metadata.creationTimestamp')
const phase = text('Phase', '.status.phase')
const conditionStatus = (type: string): string => `.status.conditions[?(@.type=='${type}')].status`
const ready = text('Ready', conditionStatus('Ready'))
const isReadyToUse = flag('ReadyToUse', '.status.readyToUse')
const created = date('CreationTime', '.status.creationTime')
const error = text('Error', '.status.error.message')
const aside = { priority: 1 } as const
const readyText = {
  description: 'Indicates if the snapshot is ready to be used to restore a volume.',
}

const sourceOf = [
  text('SourceKind', '.spec.source.kind'),
  text('SourceName', '.spec.source.name'),
] as const

/** The columns that clients such as kubectl print for the kinds of CRDs. */
export const columns = {
  ageAndPhase: [age, phase],
  virtualMachine: [
    age,
    text('Status', '.status.printableStatus', { description: 'Human Readable Status' }),
    ready,
  ],
  vmi: [
    age,
    phase,
    text('IP', '.status.interfaces[0].ipAddress'),
    text('NodeName', '.status.nodeName'),
    ready,
    text('Live-Migratable', conditionStatus('LiveMigratable'), aside),
    text('Paused', conditionStatus('Paused'), aside),
  ],
  migration: [
    text('Phase', '.status.phase', { description: 'The current phase of VM instance migration' }),
    text('VMI', '.spec.vmiName', {
      description: 'The name of the VMI to perform the migration on',
    }),
  ],
  vmSnapshot: [...sourceOf, phase, isReadyToUse, created, error],
  vmSnapshotContent: [isReadyToUse, created, error],
  restore: [
    text('TargetKind', '.spec.target.kind'),
    text('TargetName', '.spec.target.name'),
    flag('Complete', '.status.complete'),
    date('RestoreTime', '.status.restoreTime'),
  ],
  clone: [
    phase,
    text('SourceVirtualMachine', '.spec.source.name'),
    text('TargetVirtualMachine', '.spec.target.name'),
  ],
  export: [...sourceOf, phase],
  dataVolume: [
    text('Phase', '.status.phase', { description: 'The phase the data volume is in' }),
    text('Progress', '.status.progress', {
      description: 'Transfer progress in percentage if known, N/A otherwise',
    }),
    int('Restarts', '.status.restartCount', {
      description: 'The number of times the transfer has been restarted.',
    }),
    age,
  ],
  volumeSnapshot: [
    flag('ReadyToUse', '.status.readyToUse', readyText),
    text('SourcePVC', '.spec.source.persistentVolumeClaimName', {
      description: 'The claim from which the snapshot is taken.',
    }),
    text('SourceSnapshotContent', '.spec.source.volumeSnapshotContentName', {
      description: 'The content that represents a snapshot which existed before.',
    }),
    text('RestoreSize', '.status.restoreSize', {
      description: 'The smallest volume that the snapshot fits into.',
    }),
    text('SnapshotClass', '.spec.volumeSnapshotClassName', {
      description: 'The requested class.',
    }),
    text('SnapshotContent', '.status.boundVolumeSnapshotContentName', {
      description: 'The content to which the snapshot is bound. Check both before you trust it.',
    }),
    date('CreationTime', '.status.creationTime', {
      description: 'When the storage took the snapshot.',
    }),
    age,
  ],
  snapshotClass: [
    text('Driver', '.driver'),
    text('DeletionPolicy', '.deletionPolicy', {
      description: 'What becomes of the content when its snapshot is deleted.',
    }),
    age,
  ],
  snapshotContent: [
    flag('ReadyToUse', '.status.readyToUse', readyText),
    int('RestoreSize', '.status.restoreSize', {
      description: 'The size of the snapshot in bytes.',
    }),
    text('DeletionPolicy', '.spec.deletionPolicy', {
      description: 'What becomes of the content when its snapshot is deleted.',
    }),
    text('Driver', '.spec.driver', { description: 'The driver that took the snapshot.' }),
    text('VolumeSnapshotClass', '.spec.volumeSnapshotClassName', {
      description: 'The class of the snapshot.',
    }),
    text('VolumeSnapshot', '.spec.volumeSnapshotRef.name', {
      description: 'The snapshot that the content is bound to.',
    }),
    text('VolumeSnapshotNamespace', '.spec.volumeSnapshotRef.namespace', {
      description: 'The namespace of that snapshot.',
    }),
    age,
  ],
} satisfies Record<string, readonly PrinterColumn[]>
