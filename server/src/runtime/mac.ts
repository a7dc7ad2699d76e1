import { randomBytes } from 'node:crypto'

/** Of the range that is nobody's by birth, so it meets no real device. */
export const newMac = (): string =>
  ['02', ...[...randomBytes(5)].map((byte) => byte.toString(16).padStart(2, '0'))].join(':')
