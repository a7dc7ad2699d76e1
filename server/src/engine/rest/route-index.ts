import { allowedMethods } from '../http/method-refused.ts'
import { type Method, type RestRoute } from './route.ts'

export interface Matched<Row> {
  row: Row
  params: Readonly<Record<string, string>>
}

export interface RouteIndex<Row> {
  /**
   * Finds the row for a method and path. Returns null when the path is unknown, and the allowed
   * methods when only the method is. `HEAD` finds the row of `GET`.
   */
  find(method: string, path: string): Matched<Row> | { allow: string[] } | null
}

interface Entry<Row> {
  segments: readonly string[]
  rows: Map<Method, Row>
}

/**
 * Indexes paths by their noun, which is never a parameter, and their number of segments. A literal
 * segment wins over a parameter when both support the method, because a VM may be named `start`.
 */
export function indexRoutes<Row extends Pick<RestRoute, 'method' | 'path'>>(
  table: readonly Row[],
): RouteIndex<Row> {
  const byNoun = new Map<string, Entry<Row>[]>()
  for (const row of table) {
    const segments = row.path.split('/')
    const entries = byNoun.get(nounOf(segments)) ?? []
    const known = entries.find((entry) => entry.segments.join('/') === row.path)
    const entry = known ?? { segments, rows: new Map<Method, Row>() }
    if (!known) entries.push(entry)
    entry.rows.set(row.method, row)
    byNoun.set(
      nounOf(segments),
      entries.toSorted((a, b) => parameters(a) - parameters(b)),
    )
  }
  return {
    find(method, path) {
      const segments = path.split('/')
      const candidates = (byNoun.get(nounOf(segments)) ?? []).filter((candidate) =>
        fits(candidate.segments, segments),
      )
      // Any text may be looked up; the map contains only known methods.
      const requestMethod = (method === 'HEAD' ? 'GET' : method) as Method
      const entry = candidates.find(({ rows }) => rows.has(requestMethod))
      const row = entry?.rows.get(requestMethod)
      if (entry && row) return { row, params: paramsOf(entry.segments, segments) }
      return candidates.length === 0
        ? null
        : { allow: allowedMethods(candidates.flatMap(({ rows }) => [...rows.keys()])) }
    },
  }
}

/** Returns `vms 5` for `/api/v1/vms/{name}`: the noun and the number of segments. */
const nounOf = (segments: readonly string[]): string => `${segments[3] ?? ''} ${segments.length}`

const isParameter = (segment: string): boolean => segment.startsWith('{')

const parameters = <Row>(entry: Entry<Row>): number => entry.segments.filter(isParameter).length

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.every((part, index) =>
    isParameter(part) ? segments[index] !== '' : part === segments[index],
  )

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  pattern.forEach((part, index) => {
    if (isParameter(part)) params[part.slice(1, -1)] = decoded(segments[index] ?? '')
  })
  return params
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
