import { Fault } from '../../engine/model/fault.ts'
import { type Param, messageOf } from '../../engine/model/message.ts'

const maxGroups = 100

/** Refuses a new group when the tenant has the maximum number of groups. */
export function mustBeRoomFor(present: number): void {
  if (present < maxGroups) return
  throw new Fault('quota_exceeded', messageOf('security_group.most', { most: maxGroups }))
}

/**
 * Returns why a group cannot be deleted or renamed now, or null. The default group keeps its name
 * because clients find it by that name.
 */
export function groupRefusal(
  { isDefault }: { isDefault: boolean },
  action: 'deleted' | 'renamed',
): Fault | null {
  return isDefault
    ? new Fault(
        'read_only',
        messageOf(
          action === 'deleted' ? 'security_group.default_kept' : 'security_group.default_named',
        ),
      )
    : null
}

/** The VMs and groups that use a group: some of their names and their number. */
export interface GroupUse {
  /** `areLeaving` when all of these VMs are being deleted. */
  vms: { names: readonly string[]; total: number; areLeaving?: boolean }
  groups: { names: readonly string[]; total: number }
}

export const unused: GroupUse = { vms: { names: [], total: 0 }, groups: { names: [], total: 0 } }

/**
 * Returns why the group cannot be deleted while VMs or groups use it, or null when it is unused.
 */
export function useRefusal(name: string, { vms, groups }: GroupUse): Fault | null {
  if (vms.total > 0)
    return new Fault(
      'in_use',
      messageOf('security_group.used_by_vms', { name, vms: listOf(vms), n: vms.total }),
      { transient: vms.areLeaving ?? false },
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
  const more = total - names.length
  return more > 0 ? messageOf('list.and_more', { some: names, rest: more }) : names
}
