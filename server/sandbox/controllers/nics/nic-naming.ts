import { createHash } from 'node:crypto'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { secondaryNetworksOf } from './nics.ts'

/** True when the spec marks the NIC for removal. */
export const isAbsent = ({ state }: JsonMap): boolean => state === 'absent'

/**
 * The name of a network's NIC in the pod. It is derived from the network's name, so it does not
 * change with the other networks.
 */
export function podNicName(vmi: KubeObject, network: string): string {
  if (!secondaryNetworksOf(vmi).some(({ name }) => name === network)) return 'eth0'
  return `pod${createHash('sha256').update(network).digest('hex').slice(0, 11)}`
}
