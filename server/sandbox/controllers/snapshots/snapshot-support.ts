import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../objects/status.ts'
import { keyOf } from '../../apiserver/storage/store.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, type Key, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { snapshotClassFor } from './claims.ts'
import { read } from '../../objects/read.ts'
import { indexed } from '../store-index.ts'
import { claimOf, claimsOf, volumesOf } from '../../objects/vms/vm-volumes.ts'

const vms = 'virtualmachines.kubevirt.io'

const byClaim = indexed(vms, (vm) =>
  claimsOf(vm).map(({ claim }) => keyOf(vm.metadata.namespace, claim)),
)
const using = ({ metadata: { namespace, name } }: KubeObject, client: Client): Key[] =>
  byClaim(client, keyOf(namespace, name)).flatMap(ownKey)

/** Reports for each volume of a VM whether snapshots of it can be taken, and why not. */
export const snapshotSupport: Controller = {
  name: 'volumesnapshotstatus-controller',
  sources: [
    { kind: vms, keysOf: ownKey },
    { kind: 'persistentvolumeclaims', keysOf: using },
    { kind: 'datavolumes.cdi.kubevirt.io', keysOf: using },
    {
      kind: 'volumesnapshotclasses.snapshot.storage.k8s.io',
      keysOf: (_class, client) => client.list(vms).flatMap(ownKey),
    },
  ],
  reconcile(client, { namespace, name }) {
    const vm = client.get(vms, namespace, name)
    if (!vm) return undefined
    const volumeSnapshotStatuses = volumesOf(vm).map((volume) => supportOf(client, vm, volume))
    const known = read.status(vm).volumeSnapshotStatuses ?? []
    if (!isDeepStrictEqual(known, volumeSnapshotStatuses))
      client.setStatus(vms, vm, { ...read.status(vm), volumeSnapshotStatuses })
    return undefined
  },
}

function supportOf(client: Client, vm: KubeObject, volume: JsonMap): JsonMap {
  const reason = reasonAgainst(client, vm, volume)
  return reason === null
    ? { enabled: true, name: volume.name }
    : { enabled: false, name: volume.name, reason }
}

function reasonAgainst(client: Client, vm: KubeObject, volume: JsonMap): string | null {
  const name = read.text(volume.name)
  const claim = claimOf(volume)
  if (claim === null) return `Snapshot is not supported for this volumeSource type [${name}]`
  const storageClass = storageClassOf(client, vm, {
    claim,
    isDataVolume: volume.dataVolume !== undefined,
  })
  if (storageClass === null) return 'PVC not found'
  try {
    if (snapshotClassFor(client, storageClass) !== null) return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
  return `No VolumeSnapshotClass: Volume snapshots are not configured for this StorageClass [${storageClass}] [${name}]`
}

/**
 * The storage class from the `pvc` field of the DataVolume, else from the PVC; null while there is
 * neither.
 */
function storageClassOf(
  client: Client,
  vm: KubeObject,
  { claim, isDataVolume }: { claim: string; isDataVolume: boolean },
): string | null {
  const { namespace } = vm.metadata
  const requestedClass = isDataVolume
    ? read.at(
        client.get('datavolumes.cdi.kubevirt.io', namespace, claim),
        'spec',
        'pvc',
        'storageClassName',
      )
    : ''
  if (read.text(requestedClass) !== '') return read.text(requestedClass)
  const object = client.get('persistentvolumeclaims', namespace, claim)
  return object ? read.text(read.spec(object).storageClassName) : null
}
