import { admitDataVolume, reviewDataVolume } from '../admission/storage/data-volumes.ts'
import { type Resource } from '../objects/resource.ts'
import { cdi, cdiConfigObject } from './cdi/cdi.ts'
import { dataVolume } from './cdi/data-volume.ts'
import { dataSource, storageProfile } from './cdi/other-kinds.ts'
import { columns } from './columns.ts'
import { custom } from './row.ts'
import { volumeSnapshot, volumeSnapshotClass, volumeSnapshotContent } from './volume-snapshots.ts'

const ofCdi = { group: 'cdi.kubevirt.io', version: 'v1beta1' } as const
const ofCsi = { group: 'snapshot.storage.k8s.io' } as const

/** The kinds of CDI, which fills volumes, and of CSI snapshots, which copy them. */
export const volumeKinds: readonly Resource[] = [
  custom({
    ...ofCdi,
    plural: 'cdis',
    kind: 'CDI',
    columns: columns.ageAndPhase,
    schema: cdi,
    namespaced: false,
    shortNames: ['cdi', 'cdis'],
  }),
  custom({ ...ofCdi, plural: 'volumeclonesources', kind: 'VolumeCloneSource' }),
  custom({
    ...ofCdi,
    plural: 'datavolumes',
    kind: 'DataVolume',
    columns: columns.dataVolume,
    schema: dataVolume,
    shortNames: ['dv', 'dvs'],
    categories: ['all'],
    status: true,
    hooks: { admit: admitDataVolume, review: reviewDataVolume },
  }),
  custom({
    ...ofCdi,
    plural: 'dataimportcrons',
    kind: 'DataImportCron',
    shortNames: ['dic', 'dics'],
    categories: ['all'],
  }),
  custom({
    ...ofCdi,
    plural: 'datasources',
    kind: 'DataSource',
    schema: dataSource,
    shortNames: ['das'],
    categories: ['all'],
  }),
  custom({ ...ofCdi, plural: 'volumeuploadsources', kind: 'VolumeUploadSource' }),
  custom({ ...ofCdi, plural: 'volumeimportsources', kind: 'VolumeImportSource' }),
  custom({
    ...ofCdi,
    plural: 'storageprofiles',
    kind: 'StorageProfile',
    schema: storageProfile,
    namespaced: false,
    status: true,
  }),
  custom({
    ...ofCdi,
    plural: 'objecttransfers',
    kind: 'ObjectTransfer',
    namespaced: false,
    shortNames: ['ot', 'ots'],
    status: true,
  }),
  custom({
    ...ofCdi,
    plural: 'cdiconfigs',
    kind: 'CDIConfig',
    schema: cdiConfigObject,
    namespaced: false,
  }),
  custom({
    ...ofCsi,
    plural: 'volumesnapshots',
    kind: 'VolumeSnapshot',
    columns: columns.volumeSnapshot,
    schema: volumeSnapshot,
    shortNames: ['vs'],
    status: true,
  }),
  custom({
    ...ofCsi,
    plural: 'volumesnapshotclasses',
    singular: 'volumesnapshotclass',
    kind: 'VolumeSnapshotClass',
    columns: columns.snapshotClass,
    schema: volumeSnapshotClass,
    namespaced: false,
    shortNames: ['vsclass', 'vsclasses'],
  }),
  custom({
    ...ofCsi,
    plural: 'volumesnapshotcontents',
    kind: 'VolumeSnapshotContent',
    columns: columns.snapshotContent,
    schema: volumeSnapshotContent,
    namespaced: false,
    shortNames: ['vsc', 'vscs'],
    status: true,
  }),
]
