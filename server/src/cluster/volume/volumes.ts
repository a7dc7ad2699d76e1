import { type SeenClaim, type SeenHolder } from '../../domain/volume/seen.ts'
import { isOver } from '../../domain/vm/seen.ts'
import { type SeenSnapshot } from '../../domain/volume-snapshot/state.ts'
import { checkedName } from '../../engine/kube/refs.ts'
import { type VolumeReader } from '../reader.ts'
import { type VolumeWriter } from '../writer.ts'
import { applyObject, readObject } from '../../engine/kube/apply.ts'
import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'
import { instanceKind } from '../vm/instances.ts'
import { manifests } from '../manifests.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { bytesFrom } from '../../engine/kube/quantity.ts'
import { ownerIn } from '../../engine/kube/seen-object.ts'
import { type Transport } from '../../engine/kube/transport.ts'

export function volumeReader(transport: Transport): VolumeReader {
  return {
    async getClaim({ namespace, name }) {
      const claim = await readObject(transport, {
        of: manifests.volume.of,
        namespace: checkedName(namespace),
        name: checkedName(name),
      })
      return claim && seenClaim(claim)
    },

    async getVolumeSnapshot({ namespace, name }) {
      const place = { namespace: checkedName(namespace), name: checkedName(name) }
      const snapshot = await readObject(transport, { of: manifests.volumeSnapshot.of, ...place })
      return snapshot && seenSnapshot(snapshot)
    },

    async getHolder({ namespace, name, rowId }, disk) {
      const place = { namespace: checkedName(namespace), name: checkedName(name) }
      const [vm, instance] = await Promise.all([
        readObject(transport, { of: manifests.vm.of, ...place }),
        readObject(transport, { of: instanceKind, ...place }),
      ])
      if (!vm && !instance) return null
      // A stranger of the name has nothing of ours.
      const ours = (object: ApiObject | null): ApiObject | null =>
        object && ownerIn(object.metadata.labels).rowId === rowId ? object : null
      return seenHolder(ours(vm), ours(instance), disk)
    },
  }
}

export function volumeWriter(transport: Transport): VolumeWriter {
  return {
    /** Of the claim alone: what filled it is done with it, and takes no notice. */
    async growVolume({ namespace, name, uid, ...owner }, bytes) {
      const place = {
        of: manifests.volume.of,
        namespace: checkedName(namespace),
        name: checkedName(name),
      }
      await applyObject(transport, {
        ...place,
        owner,
        uid,
        content: { spec: { resources: { requests: { storage: String(bytes) } } } },
      })
    },
  }
}

const seenClaim = (claim: ApiObject): SeenClaim => ({
  uid: claim.metadata.uid,
  version: claim.metadata.resourceVersion,
  rowId: ownerIn(claim.metadata.labels).rowId,
  isDeleting: claim.metadata.deletionTimestamp !== undefined,
  phase: textAt(claim, 'status', 'phase') ?? '',
  requestedBytes: bytesFrom(textAt(claim, 'spec', 'resources', 'requests', 'storage')),
  capacityBytes: bytesFrom(textAt(claim, 'status', 'capacity', 'storage')),
})

const seenSnapshot = (snapshot: ApiObject): SeenSnapshot => ({
  uid: snapshot.metadata.uid,
  version: snapshot.metadata.resourceVersion,
  rowId: ownerIn(snapshot.metadata.labels).rowId,
  isDeleting: snapshot.metadata.deletionTimestamp !== undefined,
  isReady: fieldAt(snapshot, 'status', 'readyToUse') === true,
  hasTrouble: fieldAt(snapshot, 'status', 'error') !== undefined,
})

const names = (list: readonly unknown[], name: string): boolean =>
  list.some((each) => textAt(each, 'name') === name)

/** Total, as all that reads the cluster. */
function seenHolder(vm: ApiObject | null, instance: ApiObject | null, disk: string): SeenHolder {
  const isDescribed = vm !== null && names(listAt(vm, 'spec', 'template', 'spec', 'volumes'), disk)
  return { isDescribed, run: runOf(instance, disk, isDescribed) }
}

function runOf(instance: ApiObject | null, disk: string, isDescribed: boolean): SeenHolder['run'] {
  const phase = textAt(instance, 'status', 'phase')
  if (!instance || isOver(phase)) return 'off'
  const status = listAt(instance, 'status', 'volumeStatus').find(
    (each) => textAt(each, 'name') === disk,
  )
  const isRunning = phase === 'Running'
  if (names(listAt(instance, 'spec', 'volumes'), disk))
    return textAt(status, 'phase') === 'Ready' ? 'there' : onItsWay(isRunning)
  if (status !== undefined) return 'leaving'
  return isDescribed && !isRunning ? 'starting' : 'without'
}

const onItsWay = (isRunning: boolean): SeenHolder['run'] => (isRunning ? 'coming' : 'starting')
