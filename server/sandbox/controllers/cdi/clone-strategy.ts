import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'

/** Host-assisted copy, CSI volume clone, or clone from a CSI snapshot. */
export type CloneStrategy = 'copy' | 'csi-clone' | 'snapshot'

interface CloneRequest {
  origin: JsonMap
  namespace: string
  target: KubeObject
}

/** Chooses the clone strategy; null while the source cannot be copied yet. */
export function cloneStrategyOf(
  client: Client,
  { origin, namespace, target }: CloneRequest,
): CloneStrategy | null {
  const driver = driverOfOrigin(client, namespace, origin)
  if (driver === null) return null
  const className = read.text(read.spec(target).storageClassName)
  const profile = client.get(names.profiles, undefined, className)
  const { cloneStrategy, snapshotClass } = profile ? read.status(profile) : {}
  if (driver !== claim.classOf(client, target)?.provisioner) return 'copy'
  if (origin.kind === 'VolumeSnapshot') return 'snapshot'
  if (cloneStrategy === 'csi-clone') return 'csi-clone'
  return cloneStrategy !== 'copy' && snapshotClass !== undefined ? 'snapshot' : 'copy'
}

function driverOfOrigin(client: Client, namespace: string, origin: JsonMap): string | null {
  if (origin.kind === 'VolumeSnapshot') {
    const snapshot = client.get(names.snapshots, namespace, read.text(origin.name))
    if (!snapshot || read.status(snapshot).readyToUse !== true) return null
    const snapshotContent = client.get(
      names.contents,
      undefined,
      read.text(read.status(snapshot).boundVolumeSnapshotContentName),
    )
    return snapshotContent ? read.text(read.spec(snapshotContent).driver) : null
  }
  const source = client.get(names.claims, namespace, read.text(origin.name))
  return source && claim.isBound(source)
    ? read.text(claim.classOf(client, source)?.provisioner)
    : null
}

/** The handle of the bytes that a host-assisted copy reads. */
export function sourceHandle(client: Client, namespace: string, origin: JsonMap): string | null {
  const name = read.text(origin.name)
  const source =
    origin.kind === 'VolumeSnapshot' ? undefined : client.get(names.claims, namespace, name)
  if (source) return claim.volumeName(source)
  const snapshot = client.get(names.snapshots, namespace, name)
  return snapshot ? read.text(read.status(snapshot).boundVolumeSnapshotContentName) : null
}
