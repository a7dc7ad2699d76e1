interface Range {
  type: string
  quality: number
}

/**
 * True when the `Accept` header allows one of the types (RFC 9110, 12.5.1). The most specific
 * matching range counts. A header without a valid type has no preference.
 */
export function isAcceptable(accept: string | undefined, types: readonly string[]): boolean {
  if (accept === undefined) return true
  const ranges = rangesIn(accept)
  return ranges.length === 0 || types.some((type) => qualityOf(type, ranges) > 0)
}

const rangesIn = (accept: string): Range[] =>
  accept.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return []
    const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1)
    return [{ type, quality: Number.isFinite(quality) ? quality : 1 }]
  })

function qualityOf(type: string, ranges: readonly Range[]): number {
  const matchingRanges = [type, `${type.split('/')[0] ?? ''}/*`, '*/*']
  return (
    matchingRanges.flatMap((range) => ranges.find((each) => each.type === range) ?? [])[0]
      ?.quality ?? 0
  )
}
