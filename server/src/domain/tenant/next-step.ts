import { type Message, messageOf } from '../../engine/model/message.ts'

/** What was asked for a tenant, of its row. */
export interface AskedTenant {
  deleteRequested: boolean
  /** The namespace's identity since we first made it; null before. */
  clusterUid: string | null
  isActive: boolean
  /** VPCs that are not gone; they have namespaces of their own. */
  vpcsLeft: number
  /** What keeps it apart in the cluster was made once. */
  isBounded: boolean
}

/** What the cluster shows under the tenant's name. */
export interface SeenNamespace {
  uid: string
  /** Its label says that it belongs to this very row. */
  isOurs: boolean
  isTerminating: boolean
}

export type TenantStep =
  | { do: 'applyNamespace' }
  | { do: 'bound'; uid: string }
  | { do: 'open'; uid: string }
  | { do: 'deleteNamespace'; uid: string }
  | { do: 'removeVpcs' }
  | { do: 'wait' }
  | { do: 'erase' }
  | { do: 'fail'; code: 'cluster_name_conflict' | 'platform_error'; detail: Message }

/** The one next step that brings a tenant nearer to what was asked. */
export function nextStep(asked: AskedTenant, seen: SeenNamespace | null): TenantStep {
  return asked.deleteRequested ? towardsGone(asked, seen) : towardsActive(asked, seen)
}

function towardsGone({ vpcsLeft }: AskedTenant, seen: SeenNamespace | null): TenantStep {
  // A stranger's namespace of our name is not ours to remove. Networks go after the VMs, which hold
  // on to their segments as long as they run.
  if (!seen?.isOurs) return { do: vpcsLeft > 0 ? 'removeVpcs' : 'erase' }
  return seen.isTerminating ? { do: 'wait' } : { do: 'deleteNamespace', uid: seen.uid }
}

function towardsActive(asked: AskedTenant, seen: SeenNamespace | null): TenantStep {
  if (!seen) return asked.clusterUid === null ? { do: 'applyNamespace' } : vanished
  if (!seen.isOurs)
    return {
      do: 'fail',
      code: 'cluster_name_conflict',
      detail: messageOf('tenant.name_in_use'),
    }
  // Never silently made again: what was in it is gone, and somebody should know.
  if (asked.clusterUid !== null && seen.uid !== asked.clusterUid) return vanished
  if (seen.isTerminating) return asked.clusterUid === null ? { do: 'wait' } : vanished
  // Of one that is open it is made sure of whenever somebody looks: that is seldom, and mostly
  // because something of it has changed.
  if (asked.isActive || !asked.isBounded) return { do: 'bound', uid: seen.uid }
  return { do: 'open', uid: seen.uid }
}

const vanished: TenantStep = {
  do: 'fail',
  code: 'platform_error',
  detail: messageOf('tenant.removed_by_hand'),
}
