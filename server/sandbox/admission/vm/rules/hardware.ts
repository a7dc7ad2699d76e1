/** True for a PCI address: domain, bus, slot and function. */
export const isPciAddress = (text: string): boolean =>
  /^[\da-fA-F]{4}:[\da-fA-F]{2}:[\da-fA-F]{2}\.[0-7]$/.test(text)

const addressForms = [
  /^[\da-f]{2}(:[\da-f]{2})+$/i,
  /^[\da-f]{2}(-[\da-f]{2})+$/i,
  /^[\da-f]{4}(\.[\da-f]{4})+$/i,
]
const knownBytes = [6, 8, 20]

/** Returns the problem of a MAC address; null when it is valid or empty. */
export function whyNoMac(address: string): string | null {
  if (address === '') return null
  const bytes = address.replaceAll(/[^\da-f]/gi, '').length / 2
  if (!addressForms.some((form) => form.test(address)) || !knownBytes.includes(bytes))
    return `malformed MAC address (${address})`
  return bytes > 6 ? `too long MAC address (${address})` : null
}
