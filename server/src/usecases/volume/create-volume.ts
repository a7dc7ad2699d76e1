import { Fault, notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { invalid, requireName } from '../../engine/model/name.ts'
import { type StorageClasses, chosenClass } from '../../domain/storage-class/storage-class.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { requireVolumeSize } from '../../domain/volume/rules.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { restoreRefusal } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { type VolumeAnswer } from './lock-volume.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateVolumeRequest {
  name: string
  snapshotId?: string | null
  sizeGi?: number | null
  storageClass?: string | null
}

/** The limits and storage classes of this installation. */
export interface VolumeBounds {
  quotaDefaults: QuotaLimits
  storageClasses: StorageClasses
}

/**
 * Creates the row of a volume, empty or from a snapshot. The returned operation creates the volume.
 */
export async function createVolume(
  op: Op,
  request: CreateVolumeRequest,
  { quotaDefaults: defaults, storageClasses }: VolumeBounds,
): Promise<VolumeAnswer> {
  const tenantId = mustActInTenant(op.viewer)
  const name = requireName(request.name, 'name')
  await mustHaveNamespace(op, tenantId)
  const content = request.snapshotId
    ? await fromSnapshot(op, request, request.snapshotId)
    : emptyContent(request, storageClasses)
  await mustBeFree(op, tenantId, name)
  await mustFitQuota(op, {
    tenantId,
    defaults,
    requested: { storageGi: content.sizeGi, volumes: 1 },
  })
  const volume = await op.volumes.insert({ tenantId, name, ...content })
  op.changes.record('volume', { id: volume.id, version: volume.version, tenantId })
  op.audit.setTarget('volume', { id: volume.id, name, tenantId })
  return {
    volume,
    operation: await openOperation(op, 'create_volume', {
      kind: 'volume',
      id: volume.id,
      name,
      tenantId,
    }),
  }
}

type InitialContent = Pick<VolumeView, 'sizeGi' | 'storageClass' | 'snapshotId'> & {
  snapshotGi: number | null
}

const emptyContent = (
  { sizeGi, storageClass }: CreateVolumeRequest,
  classes: StorageClasses,
): InitialContent => ({
  sizeGi: requireVolumeSize(sizeGi),
  storageClass: chosenClass(classes, storageClass || null).name,
  snapshotId: null,
  snapshotGi: null,
})

/**
 * The lock prevents a deletion of the snapshot before the volume is created. Only its own driver
 * can copy a snapshot, so the volume has the same storage class.
 */
async function fromSnapshot(
  op: Op,
  { sizeGi: requestedGi, storageClass: requestedClass }: CreateVolumeRequest,
  id: string,
): Promise<InitialContent> {
  const row = await op.volumeSnapshots.get(id)
  const snapshot = await op.reads.volumeSnapshots.find(id)
  if (!snapshot) throw notFound('snapshot', id)
  const refusal = restoreRefusal(snapshot)
  if (refusal) throw refusal
  const { storageClass, sizeGi: snapshotGi } = row
  if (requestedClass && requestedClass !== storageClass)
    throw invalid('storageClass', messageOf('volume.class_of_snapshot', { class: storageClass }))
  const sizeGi = requireVolumeSize(requestedGi ?? snapshotGi)
  if (sizeGi < snapshotGi)
    throw invalid('sizeGi', messageOf('volume.size_of_snapshot', { least: snapshotGi }))
  return { sizeGi, storageClass, snapshotId: id, snapshotGi }
}

/** Refuses a name that another volume of the tenant has. */
export async function mustBeFree(op: Op, tenantId: string, name: string): Promise<void> {
  const taken = await op.volumes.takenName(tenantId, name)
  if (taken) throw new Fault('already_exists', messageOf('volume.name_taken', { name }), taken)
}
