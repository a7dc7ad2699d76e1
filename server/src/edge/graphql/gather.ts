import { type GraphRequest } from './context.ts'

interface Batch<Value> {
  ids: Set<string>
  values: Promise<ReadonlyMap<string, Value>>
}

/** Batches reads: one statement loads the related rows of all objects that a request returns. */
export function gathered<Value>(
  read: (request: GraphRequest, ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (request: GraphRequest, id: string) => Promise<Value | undefined> {
  const batches = new WeakMap<GraphRequest, Batch<Value>>()

  const startBatch = (request: GraphRequest): Batch<Value> => {
    const ids = new Set<string>()
    const readAll = (): Promise<ReadonlyMap<string, Value>> => {
      batches.delete(request)
      return read(request, [...ids])
    }
    const batch = { ids, values: Promise.resolve().then(readAll) }
    batches.set(request, batch)
    return batch
  }

  return async (request, id) => {
    const batch = batches.get(request) ?? startBatch(request)
    batch.ids.add(id)
    return (await batch.values).get(id)
  }
}
