import { type ChangedObject, type KnownObject } from '../../engine/kube/watch/watch.ts'
import { vmParts } from '../../domain/vm/parts.ts'
import { type KeyReader } from '../../store/store.ts'
import { type VmSshKey } from '../../store/vm-ssh/vm-ssh-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type Sight, type Source } from '../../engine/reconcile/sources.ts'

/**
 * What leads to a machine is looked at when it is not as it was left; that the machine has moved,
 * whoever sees it tells.
 */
export function vmSshSource(rows: KeyReader<VmSshKey>): Source {
  return {
    changes: {},
    objects: { service: keysOf, endpointSlice: keysOf },
    async sift(keys, sight) {
      return restless(await rows.of(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      const known = new Set<string>()
      for await (const keys of keyPages((after) => rows.page(after))) {
        for (const { objectId } of keys) known.add(objectId)
        yield restless(keys, sight)
      }
      // What a worker made that was paused beyond the end of the machine.
      const strays = [...sight.service.all(), ...sight.endpointSlice.all()].flatMap(
        ({ rowId, name }) =>
          rowId !== null && !known.has(rowId) && name === vmParts.ssh(rowId) ? [rowId] : [],
      )
      yield restless(await rows.of([...new Set(strays)]), sight)
    },
  }
}

const keysOf = ({ tenantId, rowId, name }: ChangedObject): WorkKey[] =>
  tenantId !== null && rowId !== null && name === vmParts.ssh(rowId)
    ? [{ kind: 'vm_ssh', objectId: rowId, tenantId }]
    : []

const restless = (
  keys: readonly VmSshKey[],
  { service: services, endpointSlice: slices }: Sight,
): VmSshKey[] =>
  keys.filter(({ objectId, namespace, serviceVersion, sliceVersion, isSettled }) => {
    const place = { namespace, name: vmParts.ssh(objectId) }
    // Before the first list nothing is known to be missing.
    const differs = (watch: Sight[keyof Sight], version: string | null): boolean =>
      watch.isSynced() && versionOf(watch.at(place)) !== version
    return !isSettled || differs(services, serviceVersion) || differs(slices, sliceVersion)
  })

const versionOf = (object: KnownObject | null): string | null => object?.version ?? null
