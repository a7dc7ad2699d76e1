import { type KubeObject } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'

/** The seconds that a guest has for its shutdown. */
export const guestGraceSeconds = (vmi: KubeObject): number =>
  Number(read.spec(vmi).terminationGracePeriodSeconds ?? 30)
