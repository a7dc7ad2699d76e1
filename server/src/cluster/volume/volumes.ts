import { type ObservedClaim, type ObservedHolder } from '../../domain/volume/observed.ts'
import { isOver } from '../../domain/vm/observed.ts'
import { type ObservedSnapshot } from '../../domain/volume-snapshot/state.ts'
import { checkedName } from '../../engine/kube/refs.ts'
import { type VolumeReader } from '../reader.ts'
import { type VolumeWriter } from '../writer.ts'
import { type ApplyObject, readObject } from '../../engine/kube/apply.ts'
import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'
import { instanceKind } from '../vm/instances.ts'
import { manifests } from '../manifests.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { bytesFrom } from '../../engine/kube/content/quantity.ts'
import { ownerIn } from '../../engine/kube/observed-object.ts'
import { type Transport } from '../../engine/kube/transport.ts'

/** Reads volumes (PVCs), their snapshots, and whether a VM uses them. */
export function volumeReader(transport: Transport): VolumeReader {
  return {
    async getClaim({ namespace, name }) {
      const claim = await readObject(transport, {
        of: manifests.volume.of,
        namespace: checkedName(namespace),
        name: checkedName(name),
      })
      return claim && observedClaim(claim)
    },

    async getVolumeSnapshot({ namespace, name }) {
      const reference = { namespace: checkedName(namespace), name: checkedName(name) }
      const snapshot = await readObject(transport, {
        of: manifests.volumeSnapshot.of,
        ...reference,
      })
      return snapshot && observedSnapshot(snapshot)
    },

    async getHolder({ namespace, name, rowId }, disk) {
      const reference = { namespace: checkedName(namespace), name: checkedName(name) }
      const [vm, instance] = await Promise.all([
        readObject(transport, { of: manifests.vm.of, ...reference }),
        readObject(transport, { of: instanceKind, ...reference }),
      ])
      if (!vm && !instance) return null
      // A foreign VM of the same name does not use Berth's disk.
      const owned = (object: ApiObject | null): ApiObject | null =>
        object && ownerIn(object.metadata.labels).rowId === rowId ? object : null
      return observedHolder(owned(vm), owned(instance), disk)
    },
  }
}

/** Expands volumes. */
export function volumeWriter(apply: ApplyObject): VolumeWriter {
  return {
    /** Grows only the claim. The DataVolume that filled it is finished and ignores the change. */
    async growVolume({ namespace, name, uid, ...owner }, bytes) {
      const reference = {
        of: manifests.volume.of,
        namespace: checkedName(namespace),
        name: checkedName(name),
      }
      await apply({
        ...reference,
        owner,
        uid,
        content: { spec: { resources: { requests: { storage: String(bytes) } } } },
      })
    },
  }
}

const observedClaim = (claim: ApiObject): ObservedClaim => ({
  uid: claim.metadata.uid,
  version: claim.metadata.resourceVersion,
  rowId: ownerIn(claim.metadata.labels).rowId,
  isDeleting: claim.metadata.deletionTimestamp !== undefined,
  phase: textAt(claim, 'status', 'phase') ?? '',
  requestedBytes: bytesFrom(textAt(claim, 'spec', 'resources', 'requests', 'storage')),
  capacityBytes: bytesFrom(textAt(claim, 'status', 'capacity', 'storage')),
})

const observedSnapshot = (snapshot: ApiObject): ObservedSnapshot => ({
  uid: snapshot.metadata.uid,
  version: snapshot.metadata.resourceVersion,
  rowId: ownerIn(snapshot.metadata.labels).rowId,
  isDeleting: snapshot.metadata.deletionTimestamp !== undefined,
  isReady: fieldAt(snapshot, 'status', 'readyToUse') === true,
  hasError: fieldAt(snapshot, 'status', 'error') !== undefined,
})

const hasItemNamed = (list: readonly unknown[], name: string): boolean =>
  list.some((each) => textAt(each, 'name') === name)

/** Never throws, like all readers of the cluster. */
function observedHolder(
  vm: ApiObject | null,
  instance: ApiObject | null,
  disk: string,
): ObservedHolder {
  const isDescribed =
    vm !== null && hasItemNamed(listAt(vm, 'spec', 'template', 'spec', 'volumes'), disk)
  return { isInSpec: isDescribed, vmiState: runOf(instance, disk, isDescribed) }
}

function runOf(
  instance: ApiObject | null,
  disk: string,
  isDescribed: boolean,
): ObservedHolder['vmiState'] {
  const phase = textAt(instance, 'status', 'phase')
  if (!instance || isOver(phase)) return 'off'
  const status = listAt(instance, 'status', 'volumeStatus').find(
    (each) => textAt(each, 'name') === disk,
  )
  const isRunning = phase === 'Running'
  if (hasItemNamed(listAt(instance, 'spec', 'volumes'), disk))
    return textAt(status, 'phase') === 'Ready' ? 'there' : onItsWay(isRunning)
  if (status !== undefined) return 'leaving'
  return isDescribed && !isRunning ? 'starting' : 'without'
}

const onItsWay = (isRunning: boolean): ObservedHolder['vmiState'] =>
  isRunning ? 'coming' : 'starting'
