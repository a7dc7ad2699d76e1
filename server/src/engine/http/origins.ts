import { ipv4FromText } from '../model/ip-address.ts'

interface OriginSettings {
  publicUrl: string
  /** Other origins that the operator has configured. */
  allowedOrigins: readonly string[]
}

/**
 * Returns the origins whose pages may use Berth, for a request that was sent to `host`.
 *
 * The owner of a domain can point a name at Berth while a page of the domain is open. The page is
 * then of the same origin as Berth. So a name counts only when it is configured, while an address
 * cannot be pointed elsewhere.
 */
export const originsOn =
  ({ publicUrl, allowedOrigins }: OriginSettings) =>
  (host: string): string[] => [
    new URL(publicUrl).origin,
    ...(isAddress(host) ? [`http://${host}`, `https://${host}`] : []),
    ...allowedOrigins,
  ]

function isAddress(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  return /^\[.*\]$|(?:^|\.)localhost$/.test(name) || ipv4FromText(name) !== null
}
