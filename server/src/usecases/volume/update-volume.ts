import { type OperationView } from '../../domain/operation/operation.ts'
import { invalid, requireName } from '../../engine/model/name.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { requireVolumeSize } from '../../domain/volume/rules.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { type Op } from '../../store/op.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { type VolumeBounds, mustBeFree } from './create-volume.ts'
import { respondWithOperation, mustAllowVolume, volumeAfter, lockVolume } from './lock-volume.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface UpdateVolumeRequest {
  id: string
  name?: string | null
  sizeGi?: number | null
  ifVersion?: number | null
}

/** Renames a volume immediately, and makes it larger with the returned operation. */
export async function updateVolume(
  op: Op,
  request: UpdateVolumeRequest,
  { quotaDefaults: defaults, storageClasses }: VolumeBounds,
): Promise<{ volume: VolumeView; operation: OperationView | null }> {
  const row = await lockVolume(op, request.id)
  mustBeVersion('volume', row, request.ifVersion)
  mustAllowVolume('rename', row)
  const name = requireName(request.name ?? row.name, 'name')
  if (name !== row.name) await mustBeFree(op, row.tenantId, name)
  row.name = name
  const sizeGi = requireVolumeSize(request.sizeGi ?? row.sizeGi)
  if (sizeGi === row.sizeGi) return { volume: await volumeAfter(op, row), operation: null }
  if (sizeGi < row.sizeGi)
    throw invalid('sizeGi', messageOf('volume.never_shrinks', { least: row.sizeGi }))
  mustAllowVolume('resize', row, storageClasses)
  await mustFitQuota(op, {
    tenantId: row.tenantId,
    defaults,
    requested: { storageGi: sizeGi - row.sizeGi },
  })
  row.sizeGi = sizeGi
  return respondWithOperation(op, row, 'resize_volume')
}
