import { Fault } from '../../engine/model/fault.ts'

const mostGroups = 100

/** Refuses a group for which its tenant has no room. */
export function mustBeRoomFor(present: number): void {
  if (present < mostGroups) return
  throw new Fault(
    'quota_exceeded',
    `A tenant can have at most ${mostGroups} security groups; delete one that is no longer used.`,
  )
}

/**
 * Why a group cannot be taken away now, or its name changed, by which clients know the default one;
 * null when it can.
 */
export function groupRefusal(
  { isDefault }: { isDefault: boolean },
  act: 'deleted' | 'renamed',
): Fault | null {
  return isDefault
    ? new Fault(
        'read_only',
        `The default security group cannot be ${act}; its rules can be changed.`,
      )
    : null
}

/** What holds on to a group, by name; as many as are worth telling. */
export interface GroupUse {
  vms: { names: readonly string[]; total: number }
  groups: { names: readonly string[]; total: number }
}

export const unused: GroupUse = { vms: { names: [], total: 0 }, groups: { names: [], total: 0 } }

/** Why what is in use cannot be deleted, and by whom it is used; null when nobody uses it. */
export function useRefusal(name: string, { vms, groups }: GroupUse): Fault | null {
  if (vms.total > 0)
    return new Fault(
      'in_use',
      `Security group ${name} is used by ${listOf('VM', vms)}; give them other groups first.`,
    )
  if (groups.total === 0) return null
  return new Fault(
    'in_use',
    `Security group ${name} is named in rules of ${listOf('group', groups)}; change those rules first.`,
  )
}

function listOf(noun: string, { names, total }: GroupUse['vms']): string {
  const more = total - names.length
  return `${noun}${total === 1 ? '' : 's'} ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
