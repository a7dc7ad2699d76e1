import { Fault, notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { invalid, requireSlug } from '../../engine/model/name.ts'
import { type StorageClasses, chosenClass } from '../../domain/storage-class/storage-class.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { requireVolumeSize } from '../../domain/volume/rules.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { restoreRefusal } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { mustHaveRoom } from '../tenant/must-have-room.ts'
import { type VolumeAnswer } from './own-volume.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface NewVolume {
  name: string
  snapshotId?: string | null
  sizeGi?: number | null
  storageClass?: string | null
}

/** What the installation allows, and what it has. */
export interface VolumeBounds {
  quotaDefaults: QuotaLimits
  storageClasses: StorageClasses
}

/** Asks for a volume, empty or as a snapshot was; it is made by the operation that is returned. */
export async function createVolume(
  op: Op,
  asked: NewVolume,
  { quotaDefaults: defaults, storageClasses }: VolumeBounds,
): Promise<VolumeAnswer> {
  const tenantId = mustActInTenant(op.viewer)
  const name = requireSlug(asked.name, 'name')
  await mustHaveRoom(op, tenantId)
  const beginning = asked.snapshotId
    ? await fromSnapshot(op, asked, asked.snapshotId)
    : emptyOne(asked, storageClasses)
  await mustBeFree(op, tenantId, name)
  await mustFit(op, { tenantId, defaults, asked: { storageGi: beginning.sizeGi, volumes: 1 } })
  const volume = await op.volumes.insert({ tenantId, name, ...beginning })
  op.changes.note('volume', { id: volume.id, version: volume.version, tenantId })
  op.audit.about('volume', { id: volume.id, name, tenantId })
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

type Beginning = Pick<VolumeView, 'sizeGi' | 'storageClass' | 'snapshotId'> & {
  snapshotGi: number | null
}

const emptyOne = ({ sizeGi, storageClass }: NewVolume, classes: StorageClasses): Beginning => ({
  sizeGi: requireVolumeSize(sizeGi),
  storageClass: chosenClass(classes, storageClass || null).name,
  snapshotId: null,
  snapshotGi: null,
})

/**
 * Locked, so that it is not deleted before the volume is made. It can be copied by its own driver
 * only, so it stays on its class.
 */
async function fromSnapshot(
  op: Op,
  { sizeGi: askedGi, storageClass: askedClass }: NewVolume,
  id: string,
): Promise<Beginning> {
  const row = await op.volumeSnapshots.get(id)
  const snapshot = await op.reads.volumeSnapshots.find(id)
  if (!snapshot) throw notFound('snapshot', id)
  const refusal = restoreRefusal(snapshot)
  if (refusal) throw refusal
  const { storageClass, sizeGi: snapshotGi } = row
  if (askedClass && askedClass !== storageClass)
    throw invalid('storageClass', messageOf('volume.class_of_snapshot', { class: storageClass }))
  const sizeGi = requireVolumeSize(askedGi ?? snapshotGi)
  if (sizeGi < snapshotGi)
    throw invalid('sizeGi', messageOf('volume.size_of_snapshot', { least: snapshotGi }))
  return { sizeGi, storageClass, snapshotId: id, snapshotGi }
}

/** Refuses a name that another volume of the tenant has. */
export async function mustBeFree(op: Op, tenantId: string, name: string): Promise<void> {
  if (await op.volumes.nameTaken(tenantId, name))
    throw new Fault('already_exists', messageOf('volume.name_taken', { name }))
}
