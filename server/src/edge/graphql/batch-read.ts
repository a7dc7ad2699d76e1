import DataLoader from 'dataloader'
import { pageRequest } from '../../engine/model/page.ts'
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

/**
 * Reads the newest rows of all objects of an answer, with one statement for each number of rows
 * that the document asks for.
 */
export function batchReadNewest<Row>(
  read: (request: GraphRequest, ids: readonly string[], first: number) => Promise<readonly Row[]>,
  ownerOf: (row: Row) => string,
): (request: GraphRequest, id: string, first: number) => Promise<readonly Row[]> {
  const byFirst = new Map<number, ReturnType<typeof batchRead<Row[]>>>()
  return async (request, id, first) => {
    const { first: most } = pageRequest(first, null, request.pageCap)
    const existing = byFirst.get(most)
    const load =
      existing ?? batchRead(async (each, ids) => Map.groupBy(await read(each, ids, most), ownerOf))
    if (!existing) byFirst.set(most, load)
    return (await load(request, id)) ?? []
  }
}
