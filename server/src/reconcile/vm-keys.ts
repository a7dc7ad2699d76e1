import { type ClusterReader } from '../cluster/reader.ts'
import { type ChangedObject, type ClusterWatcher, type WatchedNoun } from '../cluster/reader/watcher.ts'
import { type Store } from '../store/store.ts'
import { type WorkKey } from '../store/work-lease.ts'
import { type Source } from './sources.ts'
import { versionOf } from './vm-record.ts'

interface VmKeys {
  store: Pick<Store, 'vmKeys'>
  cluster: { reader: Pick<ClusterReader, 'listVms' | 'listInstances'> } & ClusterWatcher
}

const nouns: readonly WatchedNoun[] = ['vm', 'instance']

/**
 * A machine is looked at when something of it changes in the cluster. Once a minute all of them are compared with one list, and looked at where
 * the list knows something else than the row: what rests costs nothing.
 */
export function vmSource({ store, cluster }: VmKeys): Source {
  return {
    changes: {},
    follow(ring) {
      const watches = nouns.map((noun) => cluster.watch(noun, (object) => ring(keyOf(object))))
      return async () => void (await Promise.all(watches.map((watch) => watch.stop())))
    },
    async *everything() {
      const seen = await versionsIn(cluster.reader)
      for (let after: string | null = null, first = true; first || after !== null; first = false) {
        const page: Awaited<ReturnType<typeof store.vmKeys>> = await store.vmKeys(after)
        yield page.keys.filter(({ objectId, seenVersion, isSettled }) => !isSettled || seen.get(objectId) !== seenVersion)
        after = page.after
      }
    },
  }
}

const keyOf = ({ tenantId, rowId }: ChangedObject): WorkKey[] =>
  tenantId === null || rowId === null ? [] : [{ kind: 'vm', objectId: rowId, tenantId }]

/** Of every machine of ours in the cluster, by row. */
async function versionsIn(reader: VmKeys['cluster']['reader']): Promise<ReadonlyMap<string, string>> {
  const instances = new Map<string, string>()
  for await (const { rowId, version } of all((page) => reader.listInstances(page))) if (rowId) instances.set(rowId, version)
  const versions = new Map<string, string>()
  for await (const { rowId, version } of all((page) => reader.listVms(page)))
    if (rowId) versions.set(rowId, versionOf({ version, instanceVersion: instances.get(rowId) ?? null }))
  return versions
}

type Pages<Item> = (page: { limit: number; after: string | null }) => Promise<{ items: Item[]; after: string | null }>

async function* all<Item>(pageOf: Pages<Item>): AsyncIterable<Item> {
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const page: Awaited<ReturnType<Pages<Item>>> = await pageOf({ limit: 500, after })
    yield* page.items
    after = page.after
  }
}
