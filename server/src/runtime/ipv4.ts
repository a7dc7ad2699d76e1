/*
 * Parses the IPv4 addresses and blocks of the configuration into numbers, so that they can be
 * compared.
 */

export interface Ipv4Block {
  /** The block in its canonical form, for example `203.0.113.0/24`. */
  text: string
  first: number
  last: number
}

const pattern = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

export function ipv4FromText(text: string): number | null {
  const parts = pattern.exec(text)?.slice(1)
  // Some parsers read a leading zero as octal, some as decimal, so it is refused.
  if (
    !parts ||
    parts.some((part) => Number(part) > 255 || (part.length > 1 && part.startsWith('0')))
  )
    return null
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0)
}

export const textFromIpv4 = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')

export function ipv4BlockFromText(text: string): Ipv4Block | null {
  const [address, length, ...rest] = text.split('/')
  const base = ipv4FromText(address ?? '')
  if (base === null || rest.length > 0 || !/^([0-9]|[12][0-9]|3[0-2])$/.test(length ?? ''))
    return null
  const size = 2 ** (32 - Number(length))
  const first = Math.floor(base / size) * size
  return { text: `${textFromIpv4(first)}/${length}`, first, last: first + size - 1 }
}
