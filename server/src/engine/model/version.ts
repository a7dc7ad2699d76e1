import { Fault } from './fault.ts'

/** Refuses a change that was made from an older reading than the present one. */
export function mustBeVersion(
  noun: string,
  row: { version: number },
  ifVersion: number | null | undefined,
): void {
  if (ifVersion === null || ifVersion === undefined || ifVersion === row.version) return
  throw new Fault(
    'version_conflict',
    `The ${noun} has changed since it was read (version ${row.version}, not ${ifVersion}); read it again.`,
  )
}
