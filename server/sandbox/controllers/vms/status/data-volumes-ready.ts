import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { claimNameOf } from '../../hotplug/volume-source.ts'
import { volumesOf } from '../../hotplug/volumes.ts'
import { type ConditionUpdate, isTrue, withCondition } from '../../../objects/vms/conditions.ts'
import { phaseOf } from '../../../objects/vms/phase.ts'

/** Adds the DataVolumesReady condition when the VMI has DataVolumes. */
export function withDataVolumes(
  client: Client,
  vmi: KubeObject,
  conditions: readonly JsonMap[],
): JsonMap[] {
  const found = volumesOf(vmi).flatMap(
    (volume) => dataVolumeOf(client, vmi, claimNameOf(volume)) ?? [],
  )
  if (found.length === 0) return [...conditions]
  const update: ConditionUpdate = found.every((each) => isTrue(each, 'Ready'))
    ? { status: 'True', reason: 'AllDVsReady', message: "All of the VMI's DVs are bound and ready" }
    : { status: 'False', reason: 'NotAllDVsReady', message: "Not all of the VMI's DVs are ready" }
  return withCondition(conditions, 'DataVolumesReady', update)
}

function dataVolumeOf(
  client: Client,
  { metadata: { namespace } }: KubeObject,
  name: string,
): KubeObject | undefined {
  if (name === '') return undefined
  const claim = client.get('persistentvolumeclaims', namespace, name)
  const owner = claim?.metadata.ownerReferences?.find(({ kind }) => kind === 'DataVolume')
  return client.get('datavolumes.cdi.kubevirt.io', namespace, owner?.name ?? name)
}

/**
 * True when the PVC's DataVolume is complete or waits only for its first consumer. A PVC without a
 * DataVolume counts as filled.
 */
export function isFilled(client: Client, claim: KubeObject | undefined): boolean {
  const owner = claim?.metadata.ownerReferences?.find(({ kind }) => kind === 'DataVolume')
  const dataVolume =
    owner && client.get('datavolumes.cdi.kubevirt.io', claim?.metadata.namespace, owner.name)
  return (
    !owner ||
    (dataVolume !== undefined &&
      ['Succeeded', 'PendingPopulation', 'WaitForFirstConsumer'].includes(phaseOf(dataVolume)))
  )
}
