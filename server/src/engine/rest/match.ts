import { type Method, type RestRoute } from './route.ts'

export interface Matched<Row> {
  row: Row
  params: Readonly<Record<string, string>>
}

export interface RouteIndex<Row> {
  /**
   * The row of a method and path; null when the path is unknown, the allowed methods when only the
   * method is.
   */
  find(method: string, path: string): Matched<Row> | { allow: Method[] } | null
}

interface Entry<Row> {
  segments: readonly string[]
  rows: Map<Method, Row>
}

/**
 * Paths by their noun, which is never a parameter, and by number of segments. A plain segment wins
 * over a parameter where both take the method: a VM may be called `start`.
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
      const fitting = (byNoun.get(nounOf(segments)) ?? []).filter((candidate) =>
        fits(candidate.segments, segments),
      )
      // Any method's text may be looked up; only known ones are found.
      const asked = method as Method
      const entry = fitting.find(({ rows }) => rows.has(asked))
      const row = entry?.rows.get(asked)
      if (entry && row) return { row, params: paramsOf(entry.segments, segments) }
      return fitting.length === 0
        ? null
        : { allow: fitting.flatMap(({ rows }) => [...rows.keys()]) }
    },
  }
}

/** `/api/v1/vms/{name}` is one of `vms`, with five segments. */
const nounOf = (segments: readonly string[]): string => `${segments[3] ?? ''} ${segments.length}`

const isParameter = (segment: string): boolean => segment.startsWith('{')

const parameters = <Row>(entry: Entry<Row>): number => entry.segments.filter(isParameter).length

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.every((part, index) =>
    isParameter(part) ? segments[index] !== '' : part === segments[index],
  )

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  pattern.forEach((part, index) => {
    if (isParameter(part)) found[part.slice(1, -1)] = decoded(segments[index] ?? '')
  })
  return found
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
