import { type SnapshotClass } from '../../domain/storage-class/snapshot-class.ts'
import {
  available,
  type Feature,
  unavailable,
  type StorageClassCapabilities,
} from './capabilities.ts'
import { fieldAt, listAt, textAt, textsAt } from '../../engine/kube/field-at.ts'
import { messageOf } from '../../engine/model/message.ts'

interface StorageContext {
  /** CDI's StorageProfiles. Each has the name of its storage class. */
  profiles: readonly unknown[]
  /** The missing right to the profiles; null when they were read. */
  profilesRefused: Feature | null
  hasCdi: boolean
}

const nameOf = (object: unknown): string => textAt(object, 'metadata', 'name') ?? ''

const isAnnotated = (object: unknown, annotation: string): boolean =>
  fieldAt(object, 'metadata', 'annotations', annotation) === 'true'

/** Reads the fields of a VolumeSnapshotClass by which Berth chooses one for a volume. */
export const assessSnapshotClass = (object: unknown): SnapshotClass => ({
  name: nameOf(object),
  driver: textAt(object, 'driver') ?? '',
  isDefault: isAnnotated(object, 'snapshot.storage.kubernetes.io/is-default-class'),
})

/**
 * Derives what Berth can do with volumes of a storage class: expand, import, clone and
 * live-migrate. A missing ability has a reason for the operator.
 */
export function assessStorageClass(
  object: unknown,
  context: StorageContext,
): StorageClassCapabilities {
  const name = nameOf(object)
  const provisioner = textAt(object, 'provisioner') ?? ''
  const profile = context.profiles.find((each) => nameOf(each) === name)
  const storage = { name, provisioner, profile }
  return {
    name,
    provisioner,
    isDefault:
      isAnnotated(object, 'storageclass.kubevirt.io/is-default-virt-class') ||
      isAnnotated(object, 'storageclass.kubernetes.io/is-default-class'),
    bindsOnFirstUse: textAt(object, 'volumeBindingMode') === 'WaitForFirstConsumer',
    accessModes: accessModesOf(profile),
    expand:
      fieldAt(object, 'allowVolumeExpansion') === true
        ? available
        : unavailable(messageOf('capability.no_expansion', { class: name })),
    profileSnapshotClass: textAt(profile, 'status', 'snapshotClass'),
    liveMigrate: context.profilesRefused ?? liveMigrateOf(storage),
    import: context.profilesRefused ?? importOf(storage, context.hasCdi),
    cloneBy: cloneBy[textAt(profile, 'status', 'cloneStrategy') ?? ''] ?? 'unknown',
  }
}

const cloneBy: Readonly<Record<string, StorageClassCapabilities['cloneBy']>> = {
  'csi-clone': 'csi',
  snapshot: 'snapshot',
  copy: 'copy',
}

interface Storage {
  name: string
  provisioner: string
  profile: unknown
}

const claimsOf = (profile: unknown): unknown[] => listAt(profile, 'status', 'claimPropertySets')

const accessModesOf = (profile: unknown): string[] => [
  ...new Set(claimsOf(profile).flatMap((claim) => textsAt(claim, 'accessModes'))),
]

function liveMigrateOf({ name, profile }: Storage): Feature {
  return accessModesOf(profile).includes('ReadWriteMany')
    ? available
    : unavailable(messageOf('capability.not_shared', { class: name }))
}

function importOf({ name, profile }: Storage, hasCdi: boolean): Feature {
  if (!hasCdi) return unavailable(messageOf('capability.no_cdi'))
  return claimsOf(profile).length > 0
    ? available
    : unavailable(messageOf('capability.unknown_class', { class: name }))
}
