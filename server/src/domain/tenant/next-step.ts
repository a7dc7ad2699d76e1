import { type Message, messageOf } from '../../engine/model/message.ts'

/** The desired state of a tenant, read from its row. */
export interface DesiredTenant {
  deleteRequested: boolean
  /** The UID of the tenant's namespace; null until Berth has created it. */
  clusterUid: string | null
  isActive: boolean
  /** VPCs that still exist; they have namespaces of their own. */
  vpcsLeft: number
  /** True once the tenant boundary has been applied to the namespace. */
  hasBoundary: boolean
}

/** The observed namespace with the tenant's name. */
export interface ObservedNamespace {
  uid: string
  /** True when its label names this row. */
  isOwned: boolean
  isTerminating: boolean
}

export type TenantStep =
  | { do: 'applyNamespace' }
  | { do: 'applyBoundary'; uid: string }
  | { do: 'open'; uid: string }
  | { do: 'deleteNamespace'; uid: string }
  | { do: 'removeVpcs' }
  | { do: 'wait' }
  | { do: 'erase' }
  | { do: 'fail'; code: 'cluster_name_conflict' | 'platform_error'; detail: Message }

/** Decides the next step towards the desired state of a tenant. */
export function nextStep(desired: DesiredTenant, observed: ObservedNamespace | null): TenantStep {
  return desired.deleteRequested ? towardsGone(desired, observed) : towardsActive(desired, observed)
}

function towardsGone({ vpcsLeft }: DesiredTenant, observed: ObservedNamespace | null): TenantStep {
  // A namespace that Berth does not own is not deleted. VPCs are removed after the VMs, which use
  // their networks as long as they run.
  if (!observed?.isOwned) return { do: vpcsLeft > 0 ? 'removeVpcs' : 'erase' }
  return observed.isTerminating ? { do: 'wait' } : { do: 'deleteNamespace', uid: observed.uid }
}

function towardsActive(desired: DesiredTenant, observed: ObservedNamespace | null): TenantStep {
  if (!observed) return desired.clusterUid === null ? { do: 'applyNamespace' } : vanished
  if (!observed.isOwned)
    return {
      do: 'fail',
      code: 'cluster_name_conflict',
      detail: messageOf('tenant.name_in_use'),
    }
  // The namespace is never recreated: its content is lost, and the operator must know.
  if (desired.clusterUid !== null && observed.uid !== desired.clusterUid) return vanished
  if (observed.isTerminating) return desired.clusterUid === null ? { do: 'wait' } : vanished
  // An active tenant reapplies its boundary in every reconcile. Reconciles are rare and mostly
  // follow a change of the boundary.
  if (desired.isActive || !desired.hasBoundary) return { do: 'applyBoundary', uid: observed.uid }
  return { do: 'open', uid: observed.uid }
}

const vanished: TenantStep = {
  do: 'fail',
  code: 'platform_error',
  detail: messageOf('tenant.removed_by_hand'),
}
