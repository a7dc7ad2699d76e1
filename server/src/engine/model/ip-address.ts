/** Parses an IPv4 address into its four bytes. Returns null for any other text. */
export function ipv4FromText(text: string): number[] | null {
  const parts = text.split('.')
  // Parsers disagree on a leading zero: octal or decimal.
  const isByte = (part: string): boolean => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255
  return parts.length === 4 && parts.every(isByte) ? parts.map(Number) : null
}

export const ipv4Number = (bytes: readonly number[]): number =>
  bytes.reduce((sum, byte) => sum * 256 + byte, 0)

/** Parses an IPv6 address without dots into its eight groups. Returns null for any other text. */
export function ipv6FromText(text: string): number[] | null {
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return null
  const [before, after] = [groupsOf(head), tail === undefined ? [] : groupsOf(tail)]
  if (before === null || after === null) return null
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  return [...before, ...new Array<number>(missing).fill(0), ...after]
}

function groupsOf(text: string): number[] | null {
  if (text === '') return []
  const groups = text.split(':')
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null
}

/**
 * Returns the /64 network of an IPv6 address, because its owner controls all 2^64 addresses of it.
 */
export function networkFromAddress(address: string): string {
  const withoutPrefix = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const groups = ipv6FromText(withoutPrefix.replace(/%.*$/, ''))
  return (
    groups
      ?.slice(0, 4)
      .map((group) => group.toString(16))
      .join(':') ?? withoutPrefix
  )
}
