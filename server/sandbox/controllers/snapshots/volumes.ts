import { type JsonMap, type KubeObject, isMap } from '../../apiserver/types.ts'
import { refuse } from '../../apiserver/status.ts'
import { type Desk } from '../desk.ts'
import { at, controllerOf, isDeleted, mapsOf, specOf, statusOf, textOf } from './fields.ts'

export const volumesOf = (vm: JsonMap): JsonMap[] => mapsOf(at(vm, 'spec', 'template', 'spec', 'volumes'))

/** The claim that holds the volume's content; null for volumes that no snapshot can take. */
export function claimOf(volume: JsonMap): string | null {
  const claim =
    at(volume, 'persistentVolumeClaim', 'claimName') ?? at(volume, 'dataVolume', 'name') ?? at(volume, 'memoryDump', 'claimName')
  return typeof claim === 'string' ? claim : null
}

export const claimsOf = (vm: JsonMap): { volume: string; claim: string }[] =>
  volumesOf(vm).flatMap((volume) => {
    const claim = claimOf(volume)
    return claim === null ? [] : [{ volume: textOf(volume.name), claim }]
  })

/** Why the claim cannot be copied now; null when it can. */
export function unready(desk: Desk, namespace: string | undefined, name: string): string | null {
  const claim = desk.get('persistentvolumeclaims', namespace, name)
  if (!claim) return `volume doesnt exist: ${name}`
  if (isDeleted(claim)) return `volume is being deleted: ${name}`
  if (statusOf(claim).phase !== 'Bound') return `volume not bound: ${name}`
  const owner = controllerOf(claim)
  if (owner?.kind !== 'DataVolume') return null
  const source = desk.get('datavolumes.cdi.kubevirt.io', namespace, owner.name)
  return source && statusOf(source).phase === 'Succeeded' ? null : `volume not populated: ${name}`
}

export function podsUsing(desk: Desk, namespace: string | undefined, claims: readonly string[]): KubeObject[] {
  return desk.list('pods', namespace).filter((pod) => {
    if (statusOf(pod).phase === 'Succeeded') return false
    return mapsOf(specOf(pod).volumes).some((volume) => claims.includes(textOf(at(volume, 'persistentVolumeClaim', 'claimName'))))
  })
}

const defaultClass = 'snapshot.storage.kubernetes.io/is-default-class'

/** The class that takes snapshots of a storage class's volumes; null when there is none. */
export function snapshotClassFor(desk: Desk, storageClass: string): string | null {
  const storage = desk.get('storageclasses.storage.k8s.io', undefined, storageClass)
  if (!storage) return null
  const classes = desk.list('volumesnapshotclasses.snapshot.storage.k8s.io')
  const profile = desk.get('storageprofiles.cdi.kubevirt.io', undefined, storageClass)
  const chosen = profile && textOf(statusOf(profile).snapshotClass)
  if (chosen) return classes.some(({ metadata }) => metadata.name === chosen) ? chosen : null
  const matching = classes.filter(({ driver }) => driver === storage.provisioner)
  const only = matching.length > 1 ? matching.find(({ metadata }) => metadata.annotations?.[defaultClass] !== undefined) : matching[0]
  if (only) return only.metadata.name
  if (matching.length === 0) return null
  throw refuse.internal(`${matching.length} matching VolumeSnapshotClasses for ${storageClass}`)
}

/** The claim, when it is one that a snapshot can be taken of. */
export function claimToCopy(desk: Desk, namespace: string | undefined, name: string): KubeObject | null {
  const claim = desk.get('persistentvolumeclaims', namespace, name)
  if (!claim || statusOf(claim).phase !== 'Bound') return null
  const storageClass = specOf(claim).storageClassName
  return typeof storageClass === 'string' && snapshotClassFor(desk, storageClass) !== null ? claim : null
}

/** What keeps a VM's state outside its volumes: a TPM or EFI variables that survive a restart. */
export function hasBackendStorage(vm: JsonMap): boolean {
  const domain = at(vm, 'spec', 'template', 'spec', 'domain')
  const tpm = at(domain, 'devices', 'tpm')
  const keepsTpm = isMap(tpm) && tpm.persistent === true && tpm.enabled !== false
  return keepsTpm || at(domain, 'firmware', 'bootloader', 'efi', 'persistent') === true
}
