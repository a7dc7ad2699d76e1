import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { hasFinalizer, isDeleted } from '../finalizers.ts'
import { read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { content } from './content.ts'
import { names } from '../../objects/storage/names.ts'

/**
 * Binds a volume to its PVC, releases it with the PVC, and deletes it when the reclaim policy says
 * so.
 */
export const volumeController: Controller = {
  name: 'persistentvolume-controller',
  sources: [
    { kind: names.volumes, keysOf: ownKey },
    {
      kind: names.claims,
      keysOf: (object) =>
        [claim.volumeName(object), `pvc-${object.metadata.uid}`].map((name) => ({
          namespace: undefined,
          name,
        })),
    },
  ],
  reconcile(client, { name }) {
    const volume = client.get(names.volumes, undefined, name)
    if (!volume) return undefined
    if (isDeleted(volume)) return finalize(client, volume)
    const ref = read.map(read.spec(volume).claimRef)
    const holder = client.get(names.claims, read.text(ref.namespace), read.text(ref.name))
    if (holder && holder.metadata.uid === ref.uid) setPhase(client, volume, 'Bound')
    else if (ref.uid !== undefined) return release(client, volume)
    return undefined
  },
}

function setPhase(client: Client, volume: KubeObject, phase: string): void {
  if (read.status(volume).phase !== phase)
    client.setStatus(names.volumes, volume, { ...read.status(volume), phase })
}

function release(client: Client, volume: KubeObject): number | undefined {
  setPhase(client, volume, 'Released')
  if (read.spec(volume).persistentVolumeReclaimPolicy !== 'Delete') return undefined
  const waitMs = client.remainingMs('reclaim', volume)
  if (waitMs > 0) return waitMs
  const current = client.get(names.volumes, undefined, volume.metadata.name)
  if (current) client.remove(names.volumes, current)
  return undefined
}

function finalize(client: Client, volume: KubeObject): number | undefined {
  if (hasFinalizer(volume, names.volumeProtection)) {
    if (read.status(volume).phase !== 'Bound')
      client.release(names.volumes, volume, names.volumeProtection)
    return undefined
  }
  const waitMs = client.remainingMs('erase', volume)
  if (waitMs > 0) return waitMs
  content.erase(client.world, volume.metadata.name)
  client.release(names.volumes, volume, names.provisionerFinalizer)
  return undefined
}
