import { createHash } from 'node:crypto'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { secondaryNetworksOf } from './nics.ts'

/** It is to be taken out, as the spec says it. */
export const isAbsent = ({ state }: JsonMap): boolean => state === 'absent'

/**
 * What a network's NIC is called in the pod: by the network's name, so that it stays the same when
 * others come and go.
 */
export function podNicName(vmi: KubeObject, network: string): string {
  if (!secondaryNetworksOf(vmi).some(({ name }) => name === network)) return 'eth0'
  return `pod${createHash('sha256').update(network).digest('hex').slice(0, 11)}`
}
