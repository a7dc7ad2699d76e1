import { type KeyReaders } from '../store/store.ts'

/** The dependencies of a source of keys: the readers of the keys that it enqueues. */
export interface SourceParts<Kind extends keyof KeyReaders> {
  workKeys: Pick<KeyReaders, Kind>
}
