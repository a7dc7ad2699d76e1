import { keyOfObject, rowSource } from '../../engine/reconcile/row-source.ts'
import { type ChangedObject, type KnownObject } from '../../engine/kube/watch/watch.ts'
import { vmObjectNames } from '../../domain/vm/object-names.ts'
import { type SourceParts } from '../source-parts.ts'
import { type VmSshKey } from '../../store/vm-ssh/vm-ssh-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'

/**
 * Enqueues SSH access when its service or endpoint slice differs from the record. The VM reconciler
 * enqueues it when the VM moves.
 */
export const vmSshSource = ({ workKeys: { vm_ssh: rows } }: SourceParts<'vm_ssh'>): Source =>
  rowSource({
    rows,
    objects: { service: keysOf, endpointSlice: keysOf },
    needsReconcile,
    ownersOf: ({ service: services, endpointSlice: slices }) =>
      [...services.all(), ...slices.all()].filter(isOfSsh).map(({ rowId }) => rowId),
  })

const isOfSsh = ({ rowId, name }: { rowId: string | null; name: string }): boolean =>
  rowId !== null && name === vmObjectNames.ssh(rowId)

const keysOf = (object: ChangedObject): WorkKey[] =>
  isOfSsh(object) ? keyOfObject('vm_ssh', object) : []

function needsReconcile(
  { objectId, namespace, serviceVersion, sliceVersion, isSettled }: VmSshKey,
  { service: services, endpointSlice: slices }: ObservedCluster,
): boolean {
  const reference = { namespace, name: vmObjectNames.ssh(objectId) }
  // Before the first list, no object counts as missing.
  const differs = (
    watch: ObservedCluster[keyof ObservedCluster],
    version: string | null,
  ): boolean => watch.isSynced() && versionOf(watch.at(reference)) !== version
  return !isSettled || differs(services, serviceVersion) || differs(slices, sliceVersion)
}

const versionOf = (object: KnownObject | null): string | null => object?.version ?? null
