import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { ownVolumes, rootVolumeOf, vmObjectNames } from '../../domain/vm/object-names.ts'
import { type ObservedVm } from '../../domain/vm/observed.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'
import { type Secret } from '../../runtime/config/secret.ts'
import { type CreatedParts } from './created-parts.ts'
import { type VmTarget } from './vm-record.ts'

/*
 * Adoption: a VM object that exists in the cluster becomes the object of a row. An object in the
 * form of Berth, whose row was lost, is only labelled and applied again, so its guest may run. An
 * object of another client gets the form of Berth. It must be off, and keeps its disk.
 */

interface AdoptionContext {
  desired: VmTarget
  cluster: {
    reader: Pick<ClusterReader, 'getObject' | 'getClaim' | 'getVmSettings'>
    writer: Pick<ClusterWriter, 'labelObject'>
  }
}

/** True while an object of another client has not got the form of Berth. */
export const mustBeOff = ({ clusterUid, adoptedUid, spec }: VmTarget): boolean =>
  clusterUid === null && adoptedUid !== null && Boolean(spec.rootClaim)

/** An object that was given its form already is `Halted` as well. */
export const isOff = ({ vmi, runStrategy }: ObservedVm): boolean =>
  vmi === null && runStrategy === 'Halted'

/** The last step of an adoption. */
export const adoptionObserved = { kind: 'adopt_vm', step: 'observed' } as const

export const notOff = {
  code: 'conflict',
  detail: messageOf('unmanaged_vm.started'),
} as const

const volumeGone = {
  code: 'conflict',
  detail: messageOf('unmanaged_vm.volume_gone'),
} as const

/**
 * Returns the settings of a VM whose row was lost. They have its user data, which no row has, so
 * they are not applied again, and the row takes the user data over.
 */
export async function adoptedSecret({
  desired: { adoptedUid, namespace, rowId },
  cluster,
}: AdoptionContext): Promise<{ uid: string; userData: Secret | null } | null> {
  if (adoptedUid === null) return null
  const found = await cluster.reader.getVmSettings({
    namespace,
    name: vmObjectNames.settings(rowId),
  })
  return found?.rowId === rowId ? found : null
}

/** Labels the volume of the root disk as one of the VM. */
export async function adoptDisk({
  desired: { namespace, tenantId, rowId, spec },
  cluster: { reader, writer },
}: AdoptionContext): Promise<
  { made: NonNullable<CreatedParts['disk']> } | { trouble: { code: FaultCode; detail: Message } }
> {
  if (spec.rootDisk === 'ephemeral') return { made: {} }
  const reference = { namespace, name: rootVolumeOf(spec) }
  const volume = await reader.getObject('dataVolume', reference)
  const claim = await reader.getClaim(reference)
  const isFree = (owner: string | null): boolean => owner === null || owner === rowId
  if (!volume || !claim || !isFree(volume.rowId) || !isFree(claim.rowId))
    return { trouble: volumeGone }
  await writer.labelObject('volume', reference, { tenantId, rowId, uid: claim.uid })
  await writer.labelObject('dataVolume', reference, { tenantId, rowId, uid: volume.uid })
  return { made: { diskUid: volume.uid, isoUid: null } }
}

/** The disk of an object that was not adopted in the end stays with it. */
export const volumesToRemove = (desired: VmTarget): string[] =>
  mustBeOff(desired) ? [] : ownVolumes(desired.spec, { hasIso: Boolean(desired.spec.isoClaim) })
