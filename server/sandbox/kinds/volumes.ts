import { type Resource } from '../apiserver/resource.ts'
import { custom } from './row.ts'

const cdi = { group: 'cdi.kubevirt.io', version: 'v1beta1' } as const
const volumeSnapshot = { group: 'snapshot.storage.k8s.io' } as const

/** What fills volumes (CDI) and what keeps copies of them (CSI snapshots). */
export const volumeKinds: readonly Resource[] = [
  custom({ ...cdi, plural: 'datavolumes', kind: 'DataVolume', shortNames: ['dv', 'dvs'], categories: ['all'], status: true }),
  custom({ ...cdi, plural: 'datasources', kind: 'DataSource', shortNames: ['das'], categories: ['all'] }),
  custom({ ...cdi, plural: 'storageprofiles', kind: 'StorageProfile', namespaced: false, status: true }),
  custom({ ...cdi, plural: 'cdis', kind: 'CDI', namespaced: false, shortNames: ['cdi', 'cdis'] }),
  custom({ ...cdi, plural: 'cdiconfigs', kind: 'CDIConfig', namespaced: false }),
  custom({ ...cdi, plural: 'volumeimportsources', kind: 'VolumeImportSource' }),
  custom({ ...cdi, plural: 'volumeuploadsources', kind: 'VolumeUploadSource' }),
  custom({ ...cdi, plural: 'volumeclonesources', kind: 'VolumeCloneSource' }),
  custom({ ...volumeSnapshot, plural: 'volumesnapshots', kind: 'VolumeSnapshot', shortNames: ['vs'], status: true }),
  custom({
    ...volumeSnapshot,
    plural: 'volumesnapshotclasses',
    singular: 'volumesnapshotclass',
    kind: 'VolumeSnapshotClass',
    namespaced: false,
    shortNames: ['vsclass', 'vsclasses'],
  }),
  custom({
    ...volumeSnapshot,
    plural: 'volumesnapshotcontents',
    kind: 'VolumeSnapshotContent',
    namespaced: false,
    shortNames: ['vsc', 'vscs'],
    status: true,
  }),
]
