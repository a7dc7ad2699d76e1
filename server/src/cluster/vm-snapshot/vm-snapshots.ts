import { type ObservedRestore } from '../../domain/vm/restore-step.ts'
import { type ObservedVmSnapshot } from '../../domain/vm-snapshot/state.ts'
import { checkedName } from '../../engine/kube/refs.ts'
import { type VmSnapshotReader } from '../reader.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { isTrue, reasonWhen } from '../vm/conditions.ts'
import { fieldAt, listAt, textAt, textsAt } from '../../engine/kube/field-at.ts'
import { manifests } from '../manifests.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { observedObject } from '../../engine/kube/observed-object.ts'
import { type Transport } from '../../engine/kube/transport.ts'

export const vmSnapshotContentKind: ApiKind = {
  ...manifests.vmSnapshot.of,
  kind: 'VirtualMachineSnapshotContent',
  plural: 'virtualmachinesnapshotcontents',
  verbs: ['get'],
}

/** Reads snapshots of VMs, their content and their restores from KubeVirt. */
export function vmSnapshotReader(transport: Transport): VmSnapshotReader {
  return {
    async getVmSnapshot({ namespace, name }) {
      const reference = { namespace: checkedName(namespace), name: checkedName(name) }
      const snapshot = await readObject(transport, { of: manifests.vmSnapshot.of, ...reference })
      if (!snapshot) return null
      const observed = observedVmSnapshot(snapshot)
      if (!observed.isReady && !observed.lacksVm) return observed
      const source = checkedName(textAt(snapshot, 'spec', 'source', 'name') ?? name)
      const vm = await readObject(transport, {
        of: manifests.vm.of,
        namespace: reference.namespace,
        name: source,
      })
      // KubeVirt reports a snapshot as ready a moment before its VM may be changed again. It
      // reports a missing VM until it has noticed the VM.
      const isHeld = textAt(vm, 'status', 'snapshotInProgress') === name
      return {
        ...observed,
        isReady: observed.isReady && !isHeld,
        lacksVm: observed.lacksVm && vm === null,
      }
    },

    async getVmSnapshotContent({ namespace, uid }) {
      const reference = {
        namespace: checkedName(namespace),
        name: checkedName(`vmsnapshot-content-${uid}`),
      }
      const content = await readObject(transport, { of: vmSnapshotContentKind, ...reference })
      return content && observedObject(content)
    },

    async getVmRestore({ namespace, name }) {
      const reference = { namespace: checkedName(namespace), name: checkedName(name) }
      const restore = await readObject(transport, { of: manifests.vmRestore.of, ...reference })
      return restore && observedRestore(restore)
    },
  }
}

function observedVmSnapshot(snapshot: ApiObject): ObservedVmSnapshot {
  const { uid, version, rowId, isDeleting } = observedObject(snapshot)
  const indications = listAt(snapshot, 'status', 'sourceIndications').flatMap(
    (each) => textAt(each, 'indication') ?? [],
  )
  return {
    uid,
    version,
    rowId,
    isDeleting,
    isReady: fieldAt(snapshot, 'status', 'readyToUse') === true,
    hasError: fieldAt(snapshot, 'status', 'error') !== undefined,
    hasFailed: textAt(snapshot, 'status', 'phase') === 'Failed',
    lacksVm: reasonWhen(snapshot, 'Progressing', 'False')?.reason === 'Source does not exist',
    included: textsAt(snapshot, 'status', 'snapshotVolumes', 'includedVolumes'),
    // KubeVirt before 1.7 lists only the names of the indications.
    indications: indications.length > 0 ? indications : textsAt(snapshot, 'status', 'indications'),
  }
}

function observedRestore(restore: ApiObject): ObservedRestore {
  const { uid, rowId, isDeleting } = observedObject(restore)
  return {
    uid,
    rowId,
    isDeleting,
    isComplete: fieldAt(restore, 'status', 'complete') === true,
    hasFailed: isTrue(restore, 'Failure'),
  }
}
