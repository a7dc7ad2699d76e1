/** The desired state of a VPC, read from its row. */
export interface DesiredVpc {
  deleteRequested: boolean
  isGone: boolean
  isActive: boolean
  /** The UID of the namespace when it was last observed. */
  clusterUid: string | null
  /** The number of networks that still exist. */
  networksLeft: number
}

/** The observed router of the VPC's subnets. */
export interface ObservedRouter {
  uid: string
  isOwned: boolean
  isDeleting: boolean
}

/** The observed namespace with the VPC's name. */
export interface ObservedVpcNamespace {
  uid: string
  /** True when its label names this row. */
  isOwned: boolean
  isTerminating: boolean
}

export type VpcStep =
  | { do: 'nothing' }
  | { do: 'wait' }
  | { do: 'applyNamespace' }
  | { do: 'open'; uid: string }
  | { do: 'deleteRouter'; uid: string }
  | { do: 'deleteNamespace'; uid: string }
  | { do: 'erase' }
  | { do: 'fail' }

/**
 * Decides the next step towards the desired state of a VPC. Its namespace holds no user data, so a
 * missing namespace is recreated.
 */
export function nextStep(
  desired: DesiredVpc,
  observed: ObservedVpcNamespace | null,
  router: ObservedRouter | null,
): VpcStep {
  if (desired.isGone) return removalOf(router) ?? leftovers(observed)
  if (desired.deleteRequested) return towardsGone(desired, observed, router)
  if (!observed) return { do: 'applyNamespace' }
  if (!observed.isOwned) return { do: 'fail' }
  if (observed.isTerminating) return { do: 'wait' }
  return desired.isActive && observed.uid === desired.clusterUid
    ? { do: 'nothing' }
    : { do: 'open', uid: observed.uid }
}

/** Removes a namespace that a stale worker created after the deletion. */
const leftovers = (observed: ObservedVpcNamespace | null): VpcStep =>
  observed?.isOwned && !observed.isTerminating
    ? { do: 'deleteNamespace', uid: observed.uid }
    : { do: 'nothing' }

/** Returns the next step to remove the router. A router that Berth does not own stays. */
function removalOf(router: ObservedRouter | null): VpcStep | null {
  if (!router?.isOwned) return null
  return router.isDeleting ? { do: 'wait' } : { do: 'deleteRouter', uid: router.uid }
}

function towardsGone(
  { networksLeft }: DesiredVpc,
  observed: ObservedVpcNamespace | null,
  router: ObservedRouter | null,
): VpcStep {
  if (networksLeft > 0) return { do: 'wait' }
  const removal = removalOf(router)
  if (removal) return removal
  // A namespace that Berth does not own is not deleted.
  if (!observed?.isOwned) return { do: 'erase' }
  return observed.isTerminating ? { do: 'wait' } : { do: 'deleteNamespace', uid: observed.uid }
}
