import { Fault } from '../../engine/model/fault.ts'

/** The run that somebody means who asks now. */
export function presentRun({ name, runUid }: { name: string; runUid?: string | null }): string {
  if (!runUid)
    throw new Fault(
      'wrong_state',
      `VM ${name} does not answer at the moment; wait until it answers again.`,
    )
  return runUid
}
