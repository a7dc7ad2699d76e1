import { createHash } from 'node:crypto'
import { type KubeObject } from '../../objects/types.ts'

/** A MAC address from KubeVirt's range, derived from the VMI's UID and the interface name. */
export function macOf({ metadata: { uid = '' } }: KubeObject, name: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${uid} ${name}`).digest()
  return ['02', '00', '00', ...[a, b, c].map((byte) => byte.toString(16).padStart(2, '0'))].join(
    ':',
  )
}
