import { type KubeObject } from '../types.ts'
import { read } from '../read.ts'

/** The phase in the status of a VMI or a pod. */
export const phaseOf = (object: KubeObject): string => read.text(read.status(object).phase)

/** True when a VMI or pod has ended; only a new one can run again. */
export const isFinal = (object: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(phaseOf(object))
