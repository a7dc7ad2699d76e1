import { type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { filled, read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'

/**
 * Binds the volume of one PVC to another, as CDI's rebind does; false when the first PVC no longer
 * owns the volume.
 */
export function rebindVolume(client: Client, filledClaim: KubeObject, target: KubeObject): boolean {
  const volume = client.get(names.volumes, undefined, claim.volumeName(filledClaim))
  if (!volume || read.at(volume, 'spec', 'claimRef', 'uid') !== filledClaim.metadata.uid)
    return false
  const { namespace, name, uid, resourceVersion } = target.metadata
  const claimRef = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    namespace,
    name,
    uid,
    resourceVersion,
  }
  client.change(names.volumes, volume, {
    ...volume,
    spec: filled({ ...read.spec(volume), claimRef }),
  })
  return true
}
