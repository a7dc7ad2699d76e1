import { Fault, notFound } from '../../engine/model/fault.ts'
import { type CoveredDisk } from '../../domain/vm-snapshot/coverage.ts'
import { copyNameOf } from '../../domain/vm-snapshot/copy-name.ts'
import { diskSnapshotName } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { messageOf } from '../../engine/model/message.ts'

interface CloneContext {
  vm: VmView
  snapshot: Awaited<ReturnType<Op['vmSnapshots']['get']>>
  disks: readonly CoveredDisk[]
}

/** Creates a volume from each volume in the snapshot. The new VM has them from its first start. */
export async function cloneVolumes(op: Op, { vm, snapshot, disks }: CloneContext): Promise<void> {
  const { tenantId } = vm
  for (const { volumeId, disk, name: former, sizeGi } of disks) {
    if (volumeId === null) continue
    const name = copyNameOf(former, vm.name)
    const taken = await op.volumes.takenName(tenantId, name)
    if (taken) {
      const sentence = messageOf('vm_snapshot.copy_name_taken', { former, name })
      throw new Fault('already_exists', sentence, taken)
    }
    const original = await op.volumes.row(volumeId)
    if (!original) throw notFound('volume', volumeId)
    const { id, version } = await op.volumes.insert({
      tenantId,
      name,
      sizeGi,
      storageClass: original.storageClass,
      copiedFrom: snapshot.id,
      copyObject: diskSnapshotName(snapshot.clusterUid ?? '', disk),
      copiedGi: sizeGi,
      vmId: vm.id,
    })
    op.changes.record('volume', { id, version, tenantId })
    await openOperation(op, 'create_volume', { kind: 'volume', id, name, tenantId })
  }
}
