import { type JsonMap, type KubeObject } from '../types.ts'
import { read } from '../read.ts'

/** What was asked of a VM's power beside its strategy, and is not done yet. */
export const requestsOf = (vm: KubeObject): JsonMap[] =>
  read.maps(read.status(vm).stateChangeRequests)

export const wantsStart = (vm: KubeObject): boolean => requestsOf(vm)[0]?.action === 'Start'

/** A queued stop is for one instance and no other. */
export function wantsStop(vm: KubeObject, vmi: KubeObject | undefined): boolean {
  const [first] = requestsOf(vm)
  return first?.action === 'Stop' && vmi !== undefined && first.uid === vmi.metadata.uid
}
