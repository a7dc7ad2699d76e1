import { Fault } from '../../engine/model/fault.ts'
import { type Param, messageOf } from '../../engine/model/message.ts'

const mostGroups = 100

/** Refuses a group for which its tenant has no room. */
export function mustBeRoomFor(present: number): void {
  if (present < mostGroups) return
  throw new Fault('quota_exceeded', messageOf('security_group.most', { most: mostGroups }))
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
        messageOf(
          act === 'deleted' ? 'security_group.default_kept' : 'security_group.default_named',
        ),
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
      messageOf('security_group.used_by_vms', { name, vms: listOf(vms), n: vms.total }),
    )
  if (groups.total === 0) return null
  return new Fault(
    'in_use',
    messageOf('security_group.named_by_groups', {
      name,
      groups: listOf(groups),
      n: groups.total,
    }),
  )
}

function listOf({ names, total }: GroupUse['vms']): Param {
  const rest = total - names.length
  return rest > 0 ? messageOf('list.and_more', { some: names, rest }) : names
}
