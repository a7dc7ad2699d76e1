import { type KubeObject } from '../../objects/types.ts'
import { refuse } from '../../objects/status.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { controllerOf } from '../owners.ts'
import { pods } from '../pods.ts'
import { read } from '../../objects/read.ts'

/** Returns why a snapshot of the PVC cannot be taken now; null when it can. */
export function unreadyReason(
  client: Client,
  namespace: string | undefined,
  name: string,
): string | null {
  const claim = client.get('persistentvolumeclaims', namespace, name)
  if (!claim) return `volume doesnt exist: ${name}`
  if (isDeleted(claim)) return `volume is being deleted: ${name}`
  if (read.status(claim).phase !== 'Bound') return `volume not bound: ${name}`
  const owner = controllerOf(claim)
  if (owner?.kind !== 'DataVolume') return null
  const source = client.get('datavolumes.cdi.kubevirt.io', namespace, owner.name)
  return source && read.status(source).phase === 'Succeeded'
    ? null
    : `volume not populated: ${name}`
}

/** Returns the pods that use one of these PVCs and have not ended. */
export function podsUsing(
  client: Client,
  namespace: string | undefined,
  claims: readonly string[],
): KubeObject[] {
  const using = claims.flatMap((name) => pods.usingClaim(client, `${namespace}/${name}`))
  return [...new Set(using)].filter((pod) => read.status(pod).phase !== 'Succeeded')
}

const defaultClass = 'snapshot.storage.kubernetes.io/is-default-class'

/** The VolumeSnapshotClass for the volumes of a storage class; null when there is none. */
export function snapshotClassFor(client: Client, storageClass: string): string | null {
  const storage = client.get('storageclasses.storage.k8s.io', undefined, storageClass)
  if (!storage) return null
  const classes = client.list('volumesnapshotclasses.snapshot.storage.k8s.io')
  const profile = client.get('storageprofiles.cdi.kubevirt.io', undefined, storageClass)
  const chosen = profile && read.text(read.status(profile).snapshotClass)
  if (chosen) return classes.some(({ metadata }) => metadata.name === chosen) ? chosen : null
  const matching = classes.filter(({ driver }) => driver === storage.provisioner)
  const only =
    matching.length > 1
      ? matching.find(({ metadata }) => metadata.annotations?.[defaultClass] !== undefined)
      : matching[0]
  if (only) return only.metadata.name
  if (matching.length === 0) return null
  throw refuse.internal(`${matching.length} matching VolumeSnapshotClasses for ${storageClass}`)
}

/** Returns the PVC when a snapshot can be taken of it, else null. */
export function claimToCopy(
  client: Client,
  namespace: string | undefined,
  name: string,
): KubeObject | null {
  const claim = client.get('persistentvolumeclaims', namespace, name)
  if (!claim || read.status(claim).phase !== 'Bound') return null
  const storageClass = read.spec(claim).storageClassName
  return typeof storageClass === 'string' && snapshotClassFor(client, storageClass) !== null
    ? claim
    : null
}
