import { type KubeObject } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'

/** The time that a guest is given by whoever stops it. */
export const guestGraceSeconds = (vmi: KubeObject): number =>
  Number(read.spec(vmi).terminationGracePeriodSeconds ?? 30)
