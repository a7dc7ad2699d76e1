import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { ownVolumes } from '../../domain/vm/parts.ts'
import { type KeyReader } from '../../store/store.ts'
import { type VmKey } from '../../store/vm/vm-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type Sight, type Source } from '../../engine/reconcile/sources.ts'
import { versionOf } from './vm-found.ts'

/**
 * A machine is looked at when something of it changes in the cluster. Once a minute all of them are
 * compared with what the streams know, and looked at where that is something else than the row
 * says: what rests costs nothing.
 */
export function vmSource(rows: KeyReader<VmKey>): Source {
  return {
    changes: {},
    objects: {
      vm: keysOf,
      instance: keysOf,
      dataVolume: (object) =>
        keysOf(object).filter(({ objectId }) => volumesOf(objectId).includes(object.name)),
    },
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
      const strays = new Set(
        [...sight.vm.all(), ...sight.dataVolume.all()].flatMap(({ rowId }) =>
          rowId && !known.has(rowId) ? [rowId] : [],
        ),
      )
      yield restless(await rows.of([...strays]), sight)
    },
  }
}

/** All that a machine may have: what it was made from is not known of a key. */
const volumesOf = (id: string): string[] => ownVolumes(id, { hasIso: true })

const keysOf = ({ tenantId, rowId }: ChangedObject): WorkKey[] =>
  tenantId === null || rowId === null ? [] : [{ kind: 'vm', objectId: rowId, tenantId }]

const restless = (keys: readonly VmKey[], sight: Sight): VmKey[] =>
  keys.filter((key) => (key.isGone ? isLeft(key, sight) : !key.isSettled || isNews(key, sight)))

function isNews(place: VmKey, { vm, instance }: Sight): boolean {
  if (!vm.isSynced() || !instance.isSynced()) return false
  const version = vm.at(place)?.version
  return (
    place.seenVersion !==
    (version === undefined
      ? null
      : versionOf({ version, instanceVersion: instance.at(place)?.version ?? null }))
  )
}

function isLeft({ objectId, namespace, name }: VmKey, { vm, dataVolume }: Sight): boolean {
  const left = [
    vm.at({ namespace, name }),
    ...volumesOf(objectId).map((volume) => dataVolume.at({ namespace, name: volume })),
  ]
  return left.some((object) => object?.rowId === objectId)
}
