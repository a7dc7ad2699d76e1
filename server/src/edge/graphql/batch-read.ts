import DataLoader from 'dataloader'
import { type GraphRequest } from './context.ts'

/**
 * Reads the related rows of all objects of an answer with one statement. Loaders do not cache,
 * because a mutation of the same request may change the rows (decision 0078).
 */
export function batchRead<Value>(
  read: (request: GraphRequest, ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (request: GraphRequest, id: string) => Promise<Value | undefined> {
  const loaders = new WeakMap<GraphRequest, DataLoader<string, Value | undefined>>()

  const loaderFor = (request: GraphRequest): DataLoader<string, Value | undefined> => {
    const existing = loaders.get(request)
    if (existing) return existing
    const load = async (ids: readonly string[]) => {
      const values = await read(request, [...new Set(ids)])
      return ids.map((id) => values.get(id))
    }
    const loader = new DataLoader(load, { cache: false })
    loaders.set(request, loader)
    return loader
  }

  return (request, id) => loaderFor(request).load(id)
}
