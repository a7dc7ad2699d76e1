import { type KubeObject } from '../types.ts'
import { read } from '../read.ts'

export const phaseOf = (object: KubeObject): string => read.text(read.status(object).phase)

/** Over for good; only a new instance or pod runs again. */
export const isFinal = (object: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(phaseOf(object))
