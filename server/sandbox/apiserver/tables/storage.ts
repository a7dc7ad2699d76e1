import { type Json, type KubeObject } from '../../objects/types.ts'
import * as column from './column.ts'
import { type Column, common } from './column.ts'
import { dig } from '../../objects/dig.ts'

const { flag, text, wide } = column

const shortModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]

const modesAt =
  (path: string) =>
  (object: KubeObject): string => {
    const modes = dig.texts(object, path)
    return shortModes.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',')
  }

const phaseOf = (object: KubeObject): string =>
  object.metadata.deletionTimestamp === undefined ? dig.text(object, 'status.phase') : 'Terminating'

const orUnset =
  (path: string) =>
  (object: KubeObject): string =>
    dig.text(object, path) || '<unset>'

const classOf = (object: KubeObject): string =>
  object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ??
  dig.text(object, 'spec.storageClassName')

/** Returns the value of a bound claim. An unbound claim has no volume to report. */
const whenBound =
  (cell: (claim: KubeObject) => string) =>
  (claim: KubeObject): string =>
    dig.text(claim, 'spec.volumeName') === '' ? '' : cell(claim)

const claimModes =
  'accessModes contains the actual access modes the volume backing the PVC has. More info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#access-modes-1'
const claimMode =
  'volumeMode defines what type of volume is required by the claim. Value of Filesystem is implied when not included in claim spec.'

const claims: readonly Column[] = [
  common.name,
  text('Status', 'phase represents the current phase of PersistentVolumeClaim.', phaseOf),
  text(
    'Volume',
    'volumeName is the binding reference to the PersistentVolume backing this claim.',
    (claim) => dig.text(claim, 'spec.volumeName'),
  ),
  text(
    'Capacity',
    'capacity represents the actual resources of the underlying volume.',
    whenBound((claim) => dig.text(claim, 'status.capacity.storage')),
  ),
  text('Access Modes', claimModes, whenBound(modesAt('status.accessModes'))),
  text('StorageClass', 'StorageClass of the pvc', classOf),
  text(
    'VolumeAttributesClass',
    'VolumeAttributesClass of the pvc',
    orUnset('spec.volumeAttributesClassName'),
  ),
  common.age,
  wide(text('VolumeMode', claimMode, orUnset('spec.volumeMode'))),
]

const claimedBy = (volume: KubeObject): string => {
  const { namespace, name } = dig.map(volume, 'spec.claimRef')
  return name === undefined ? '' : `${String(namespace)}/${String(name)}`
}

const volumes: readonly Column[] = [
  common.name,
  text('Capacity', 'Size of the volume.', (volume) => dig.text(volume, 'spec.capacity.storage')),
  text('Access Modes', 'Access modes of the volume.', modesAt('spec.accessModes')),
  text('Reclaim Policy', 'Reclaim policy of the volume.', (volume) =>
    dig.text(volume, 'spec.persistentVolumeReclaimPolicy'),
  ),
  text('Status', 'Phase of the volume.', phaseOf),
  text('Claim', 'Claim of the volume.', claimedBy),
  text('StorageClass', 'StorageClass of the pv', classOf),
  text(
    'VolumeAttributesClass',
    'VolumeAttributesClass of the pv',
    orUnset('spec.volumeAttributesClassName'),
  ),
  text('Reason', 'Reason of a failure.', (volume) => dig.text(volume, 'status.reason')),
  common.age,
  wide(text('VolumeMode', 'Filesystem or Block.', orUnset('spec.volumeMode'))),
]

const defaultMarks = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

const classes: readonly Column[] = [
  {
    ...common.name,
    cell: ({ metadata }) =>
      defaultMarks.some((mark) => metadata.annotations?.[mark] === 'true')
        ? `${metadata.name} (default)`
        : metadata.name,
  },
  text('Provisioner', 'Provisioner of the class.', (each) => dig.text(each, 'provisioner')),
  text(
    'ReclaimPolicy',
    'Reclaim policy of the volumes.',
    (each) => dig.text(each, 'reclaimPolicy') || 'Delete',
  ),
  text(
    'VolumeBindingMode',
    'Binding mode of the claims.',
    (each) => dig.text(each, 'volumeBindingMode') || 'Immediate',
  ),
  text(
    'AllowVolumeExpansion',
    'Volumes can be expanded.',
    (each) => dig.any(each, 'allowVolumeExpansion') === true,
  ),
  common.age,
]

const fact =
  (path: string, otherwise: Json) =>
  (object: KubeObject): Json =>
    dig.any(object, path) ?? otherwise

const drivers: readonly Column[] = [
  common.name,
  flag('AttachRequired', 'Volumes must be attached to a node.', fact('spec.attachRequired', true)),
  flag(
    'PodInfoOnMount',
    'The driver receives pod information.',
    fact('spec.podInfoOnMount', false),
  ),
  flag(
    'StorageCapacity',
    'Scheduling considers the storage capacity.',
    fact('spec.storageCapacity', false),
  ),
  text(
    'TokenRequests',
    'Service account tokens for the driver.',
    (driver) =>
      dig
        .list(driver, 'spec.tokenRequests')
        .map((each) => dig.text(each, 'audience'))
        .join(',') || '<unset>',
  ),
  flag(
    'RequiresRepublish',
    'Mounts are refreshed periodically.',
    fact('spec.requiresRepublish', false),
  ),
  text(
    'Modes',
    'Volume lifecycle modes of the driver.',
    (driver) => dig.texts(driver, 'spec.volumeLifecycleModes').join(',') || '<none>',
  ),
  common.age,
]

/** The columns that kubectl shows for PVCs, PVs, storage classes and CSI drivers. */
export const storageColumns: Readonly<Record<string, readonly Column[]>> = {
  persistentvolumeclaims: claims,
  persistentvolumes: volumes,
  'storageclasses.storage.k8s.io': classes,
  'csidrivers.storage.k8s.io': drivers,
}
