import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Desk } from '../desk.ts'
import { read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'

/** Host-assisted copy, CSI volume clone, or clone from a CSI snapshot. */
export type Way = 'copy' | 'csi-clone' | 'snapshot'

interface Ask {
  origin: JsonMap
  namespace: string
  target: KubeObject
}

/** Chooses the clone strategy; null while the source cannot be copied yet. */
export function wayOf(desk: Desk, { origin, namespace, target }: Ask): Way | null {
  const driver = driverOfOrigin(desk, namespace, origin)
  if (driver === null) return null
  const className = read.text(read.spec(target).storageClassName)
  const profile = desk.get(names.profiles, undefined, className)
  const { cloneStrategy, snapshotClass } = profile ? read.status(profile) : {}
  if (driver !== claim.classOf(desk, target)?.provisioner) return 'copy'
  if (origin.kind === 'VolumeSnapshot') return 'snapshot'
  if (cloneStrategy === 'csi-clone') return 'csi-clone'
  return cloneStrategy !== 'copy' && snapshotClass !== undefined ? 'snapshot' : 'copy'
}

function driverOfOrigin(desk: Desk, namespace: string, origin: JsonMap): string | null {
  if (origin.kind === 'VolumeSnapshot') {
    const snapshot = desk.get(names.snapshots, namespace, read.text(origin.name))
    if (!snapshot || read.status(snapshot).readyToUse !== true) return null
    const held = desk.get(
      names.contents,
      undefined,
      read.text(read.status(snapshot).boundVolumeSnapshotContentName),
    )
    return held ? read.text(read.spec(held).driver) : null
  }
  const source = desk.get(names.claims, namespace, read.text(origin.name))
  return source && claim.isBound(source)
    ? read.text(claim.classOf(desk, source)?.provisioner)
    : null
}

/** The handle of the bytes that a host-assisted copy reads. */
export function originHandle(desk: Desk, namespace: string, origin: JsonMap): string | null {
  const name = read.text(origin.name)
  const source =
    origin.kind === 'VolumeSnapshot' ? undefined : desk.get(names.claims, namespace, name)
  if (source) return claim.volumeName(source)
  const snapshot = desk.get(names.snapshots, namespace, name)
  return snapshot ? read.text(read.status(snapshot).boundVolumeSnapshotContentName) : null
}
