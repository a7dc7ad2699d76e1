/** What was asked for a tenant, of its row. */
export interface AskedTenant {
  deleteRequested: boolean
  /** The namespace's identity since we first made it; null before. */
  clusterUid: string | null
  isActive: boolean
}

/** What the cluster shows under the tenant's name. */
export interface SeenNamespace {
  uid: string
  /** Its label says that it belongs to this very row. */
  isOurs: boolean
  isTerminating: boolean
}

export type TenantStep =
  | { do: 'nothing' }
  | { do: 'applyNamespace' }
  | { do: 'open'; uid: string }
  | { do: 'deleteNamespace'; uid: string }
  | { do: 'wait' }
  | { do: 'erase' }
  | { do: 'fail'; code: 'cluster_name_conflict' | 'platform_error'; detail: string }

/** The one next step that brings a tenant nearer to what was asked. */
export function nextStep(asked: AskedTenant, seen: SeenNamespace | null): TenantStep {
  return asked.deleteRequested ? towardsGone(seen) : towardsActive(asked, seen)
}

function towardsGone(seen: SeenNamespace | null): TenantStep {
  // A stranger's namespace of our name is not ours to remove; then nothing of the tenant is there.
  if (!seen?.isOurs) return { do: 'erase' }
  return seen.isTerminating ? { do: 'wait' } : { do: 'deleteNamespace', uid: seen.uid }
}

function towardsActive(asked: AskedTenant, seen: SeenNamespace | null): TenantStep {
  if (!seen) return asked.clusterUid === null ? { do: 'applyNamespace' } : vanished
  if (!seen.isOurs)
    return {
      do: 'fail',
      code: 'cluster_name_conflict',
      detail: 'Something else in the cluster uses the name of this tenant; delete the tenant and choose another slug.',
    }
  // Never silently made again: what was in it is gone, and somebody should know.
  if (asked.clusterUid !== null && seen.uid !== asked.clusterUid) return vanished
  if (seen.isTerminating) return asked.clusterUid === null ? { do: 'wait' } : vanished
  return asked.isActive ? { do: 'nothing' } : { do: 'open', uid: seen.uid }
}

const vanished: TenantStep = {
  do: 'fail',
  code: 'platform_error',
  detail: 'What the tenant had on the platform was removed by hand; delete the tenant, or ask the operator to restore it.',
}
