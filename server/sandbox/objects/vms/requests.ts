import { type JsonMap, type KubeObject } from '../types.ts'
import { read } from '../read.ts'

/** The open start and stop requests of a VM. */
export const requestsOf = (vm: KubeObject): JsonMap[] =>
  read.maps(read.status(vm).stateChangeRequests)

export const isStartRequested = (vm: KubeObject): boolean => requestsOf(vm)[0]?.action === 'Start'

/** True when the next request stops this VMI; a stop names the UID of its VMI. */
export function isStopRequested(vm: KubeObject, vmi: KubeObject | undefined): boolean {
  const [first] = requestsOf(vm)
  return first?.action === 'Stop' && vmi !== undefined && first.uid === vmi.metadata.uid
}
