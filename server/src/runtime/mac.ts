import { randomBytes } from 'node:crypto'

/**
 * Returns a MAC address from the locally administered range, so it never equals the address of a
 * real device.
 */
export const newMac = (): string =>
  ['02', ...[...randomBytes(5)].map((byte) => byte.toString(16).padStart(2, '0'))].join(':')
