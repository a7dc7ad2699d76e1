import { type GraphRequest } from './context.ts'

interface Gathering<Value> {
  ids: Set<string>
  values: Promise<ReadonlyMap<string, Value>>
}

/**
 * Reads what belongs to an object with one statement for all objects that a request shows side by
 * side.
 */
export function gathered<Value>(
  read: (request: GraphRequest, ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (request: GraphRequest, id: string) => Promise<Value | undefined> {
  const gatherings = new WeakMap<GraphRequest, Gathering<Value>>()

  const gather = (request: GraphRequest): Gathering<Value> => {
    const ids = new Set<string>()
    const readAll = (): Promise<ReadonlyMap<string, Value>> => {
      gatherings.delete(request)
      return read(request, [...ids])
    }
    const gathering = { ids, values: Promise.resolve().then(readAll) }
    gatherings.set(request, gathering)
    return gathering
  }

  return async (request, id) => {
    const gathering = gatherings.get(request) ?? gather(request)
    gathering.ids.add(id)
    return (await gathering.values).get(id)
  }
}
