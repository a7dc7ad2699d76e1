import { type KubeObject } from '../../../apiserver/types.ts'
import { read } from '../../read.ts'

/** The time that a guest is given by whoever stops it. */
export const guestGraceSeconds = (vmi: KubeObject): number =>
  Number(read.spec(vmi).terminationGracePeriodSeconds ?? 30)
