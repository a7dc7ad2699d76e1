import { type ClusterReader } from '../../cluster/reader.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { ownVolumes, vmObjectNames } from '../../domain/vm/object-names.ts'
import * as vmRecord from './vm-record.ts'
import { type CreatedParts } from './created-parts.ts'
import { type VmTarget, type VmUnit } from './vm-record.ts'
import { type Op } from '../../store/op.ts'
import { type VmRow } from './vm-status.ts'
import { desiredDisk, desiredIso } from './vm-desired.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface DiskContext {
  desired: VmTarget
  cluster: { reader: Pick<ClusterReader, 'getObject' | 'getDataVolume'>; writer: ObjectWriter }
  defaultClass: string | null
}

/**
 * Creates the volumes of the VM. Returns their identities, or the reason why they can never be
 * created.
 */
export async function createDisks(
  context: DiskContext,
): Promise<
  { made: NonNullable<CreatedParts['disk']> } | { trouble: { code: FaultCode; detail: Message } }
> {
  const { desired, cluster, defaultClass } = context
  const { namespace, rowId, tenantId, spec, diskUid } = desired
  if (spec.rootDisk === 'ephemeral') return { made: {} }
  if (await lacksIso(context)) return { trouble: noIso }
  const isoUid = await copyIso(context)
  const disk = {
    noun: 'dataVolume',
    namespace,
    name: vmObjectNames.disk(rowId),
    tenantId,
    rowId,
    uid: diskUid,
    spec: desiredDisk(desired, defaultClass),
  } as const
  const { uid } = await cluster.writer.applyObject(disk)
  return { made: { diskUid: uid, isoUid } }
}

/** The template's ISO must exist until the copy begins. Afterwards it may be deleted. */
const lacksIso = async ({
  desired: { spec, isoUid, namespace },
  cluster,
}: DiskContext): Promise<boolean> =>
  Boolean(spec.isoClaim) &&
  isoUid === null &&
  (await cluster.reader.getObject('volume', { namespace, name: spec.isoClaim ?? '' })) === null

const noIso = {
  code: 'template_not_ready',
  detail: messageOf('vm.iso_missing'),
} as const

async function copyIso({ desired, cluster, defaultClass }: DiskContext): Promise<string | null> {
  const { namespace, rowId, tenantId, isoUid: uid } = desired
  const as = desiredIso(desired, defaultClass)
  if (as === null) return null
  return (
    await cluster.writer.applyObject({
      noun: 'dataVolume',
      namespace,
      name: vmObjectNames.iso(rowId),
      tenantId,
      rowId,
      uid,
      spec: as,
    })
  ).uid
}

/**
 * Deletes the copy of an ejected ISO once no VMI uses it. A claim that is being deleted would keep
 * a guest that still has it from being migrated. Returns null, because the caller has nothing to
 * wait for.
 */
export async function removeIso({ unit, desired, cluster }: IsoContext): Promise<null> {
  if (!desired.hasIsoToRemove) return null
  const { namespace, rowId } = desired
  const holder = await cluster.reader.getHolder(desired, 'iso')
  if (holder && (holder.isInSpec || (holder.vmiState !== 'off' && holder.vmiState !== 'without')))
    return null
  const reference = { namespace, name: vmObjectNames.iso(rowId) }
  const copy = await cluster.reader.getObject('dataVolume', reference)
  if (copy?.rowId === rowId) await cluster.writer.deleteObject('dataVolume', reference, copy.uid)
  else await unit((op, vm) => Promise.resolve(isoRemoved(op, vm)))
  return null
}

interface IsoContext {
  unit: VmUnit
  desired: VmTarget
  cluster: { reader: Pick<ClusterReader, 'getHolder' | 'getObject'>; writer: ObjectWriter }
}

const settledPhases = ['Succeeded', 'PendingPopulation', 'WaitForFirstConsumer']

/**
 * True while the disks of a VM that is off are being filled. KubeVirt reports such a VM as stopped.
 * The deploy ends only when its disks are filled, or wait for the first start.
 */
export async function isFilling({
  desired,
  cluster,
}: Omit<DiskContext, 'defaultClass'>): Promise<boolean> {
  if (!mayBeFilling(desired)) return false
  const { namespace, spec } = desired
  const volumes = await Promise.all(
    ownVolumes(spec, { hasIso: Boolean(spec.isoClaim) }).map((name) =>
      cluster.reader.getDataVolume({ namespace, name }),
    ),
  )
  return volumes.some((volume) => volume !== null && !settledPhases.includes(volume.phase))
}

export const mayBeFilling = ({ spec, open }: Pick<VmTarget, 'spec' | 'open'>): boolean =>
  spec.wantedPower === 'off' &&
  spec.rootDisk !== 'ephemeral' &&
  (open.includes('deploy_vm') || Boolean(spec.failedAt))

/** Records that the copy of the ISO is gone and uses no storage any more. */
function isoRemoved(op: Op, vm: VmRow | null): void {
  if (!vm || vm.isoInserted || !vm.isoUid) return
  op.vms.remember(vm, { isoUid: null })
  vmRecord.recordChange(op, vm)
}
