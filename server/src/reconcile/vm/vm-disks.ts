import { type ClusterReader } from '../../cluster/reader.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { ownVolumes, vmParts } from '../../domain/vm/parts.ts'
import * as vmRecord from './vm-record.ts'
import { type AskedVm, type MadeParts, type VmUnit } from './vm-record.ts'
import { wantedDisk, wantedIso } from './vm-desired.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface Making {
  asked: AskedVm
  cluster: { reader: Pick<ClusterReader, 'getObject' | 'getDataVolume'>; writer: ObjectWriter }
  defaultClass: string | null
}

/**
 * Begins to fill what the machine keeps in volumes; answers with those, or with why that can never
 * be.
 */
export async function makeDisks(
  making: Making,
): Promise<
  { made: NonNullable<MadeParts['disk']> } | { trouble: { code: FaultCode; detail: Message } }
> {
  const { asked, cluster, defaultClass } = making
  const { namespace, rowId, tenantId, spec, diskUid } = asked
  if (spec.rootDisk === 'ephemeral') return { made: {} }
  if (await lacksIso(making)) return { trouble: noIso }
  const isoUid = await copyIso(making)
  const as = wantedDisk(asked, defaultClass)
  const disk = {
    noun: 'dataVolume',
    namespace,
    name: vmParts.disk(rowId),
    tenantId,
    rowId,
    uid: diskUid,
    as,
  } as const
  const { uid } = await cluster.writer.applyObject(disk)
  return { made: { diskUid: uid, isoUid } }
}

/** Only before the copy is begun: afterwards the ISO that it is made of may go. */
const lacksIso = async ({
  asked: { spec, isoUid, namespace },
  cluster,
}: Making): Promise<boolean> =>
  Boolean(spec.isoClaim) &&
  isoUid === null &&
  (await cluster.reader.getObject('volume', { namespace, name: spec.isoClaim ?? '' })) === null

const noIso = {
  code: 'template_not_ready',
  detail: messageOf('vm.iso_missing'),
} as const

async function copyIso({ asked, cluster, defaultClass }: Making): Promise<string | null> {
  const { namespace, rowId, tenantId, isoUid: uid } = asked
  const as = wantedIso(asked, defaultClass)
  if (as === null) return null
  return (
    await cluster.writer.applyObject({
      noun: 'dataVolume',
      namespace,
      name: vmParts.iso(rowId),
      tenantId,
      rowId,
      uid,
      as,
    })
  ).uid
}

/**
 * Removes the copy of an ISO that was ejected, once no run has it: a claim that is on its way out
 * keeps a guest that still has it from being moved. Null where there is nothing to wait for.
 */
export async function removeIso({ unit, asked, cluster }: Removing): Promise<null> {
  if (!asked.hasIsoToRemove) return null
  const { namespace, rowId } = asked
  const holder = await cluster.reader.getHolder(asked, 'iso')
  if (holder && (holder.isDescribed || (holder.run !== 'off' && holder.run !== 'without')))
    return null
  const place = { namespace, name: vmParts.iso(rowId) }
  const copy = await cluster.reader.getObject('dataVolume', place)
  if (copy?.rowId === rowId) await cluster.writer.deleteObject('dataVolume', place, copy.uid)
  else await unit((op, vm) => Promise.resolve(vmRecord.isoRemoved(op, vm)))
  return null
}

interface Removing {
  unit: VmUnit
  asked: AskedVm
  cluster: { reader: Pick<ClusterReader, 'getHolder' | 'getObject'>; writer: ObjectWriter }
}

const rests = ['Succeeded', 'PendingPopulation', 'WaitForFirstConsumer']

/**
 * The cluster calls a machine that is off stopped while its disks are being filled. It was not
 * deployed before they are, or wait for its first start.
 */
export async function isFilling({
  asked,
  cluster,
}: Omit<Making, 'defaultClass'>): Promise<boolean> {
  if (!mayBeFilling(asked)) return false
  const { rowId, namespace, spec } = asked
  const volumes = await Promise.all(
    ownVolumes(rowId, { hasIso: Boolean(spec.isoClaim) }).map((name) =>
      cluster.reader.getDataVolume({ namespace, name }),
    ),
  )
  return volumes.some((volume) => volume !== null && !rests.includes(volume.phase))
}

export const mayBeFilling = ({ spec, open }: Pick<AskedVm, 'spec' | 'open'>): boolean =>
  spec.wantedPower === 'off' && spec.rootDisk !== 'ephemeral' && open.includes('deploy_vm')
