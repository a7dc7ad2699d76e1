/** What was asked for a VPC, of its row. */
export interface AskedVpc {
  deleteRequested: boolean
  isGone: boolean
  isActive: boolean
  /** The namespace's identity when it was last seen. */
  clusterUid: string | null
  /** Networks that are not gone. */
  networksLeft: number
}

/** What its subnets were behind, where it has had any. */
export interface SeenRouter {
  uid: string
  isOurs: boolean
  isDeleting: boolean
}

/** What the cluster shows under the VPC's name. */
export interface SeenPlace {
  uid: string
  /** Its label says that it belongs to this very row. */
  isOurs: boolean
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
 * The one next step that brings a VPC nearer to what was asked. Nothing that people keep is in its
 * namespace, so what is missing is made again.
 */
export function nextStep(
  asked: AskedVpc,
  seen: SeenPlace | null,
  router: SeenRouter | null,
): VpcStep {
  if (asked.isGone) return removalOf(router) ?? leftovers(seen)
  if (asked.deleteRequested) return towardsGone(asked, seen, router)
  if (!seen) return { do: 'applyNamespace' }
  if (!seen.isOurs) return { do: 'fail' }
  if (seen.isTerminating) return { do: 'wait' }
  return asked.isActive && seen.uid === asked.clusterUid
    ? { do: 'nothing' }
    : { do: 'open', uid: seen.uid }
}

/** A worker that was paused may have made it after the end. */
const leftovers = (seen: SeenPlace | null): VpcStep =>
  seen?.isOurs && !seen.isTerminating ? { do: 'deleteNamespace', uid: seen.uid } : { do: 'nothing' }

/** A stranger's of our name is not ours to remove. */
function removalOf(router: SeenRouter | null): VpcStep | null {
  if (!router?.isOurs) return null
  return router.isDeleting ? { do: 'wait' } : { do: 'deleteRouter', uid: router.uid }
}

function towardsGone(
  { networksLeft }: AskedVpc,
  seen: SeenPlace | null,
  router: SeenRouter | null,
): VpcStep {
  if (networksLeft > 0) return { do: 'wait' }
  const removal = removalOf(router)
  if (removal) return removal
  // A stranger's namespace of our name is not ours to remove.
  if (!seen?.isOurs) return { do: 'erase' }
  return seen.isTerminating ? { do: 'wait' } : { do: 'deleteNamespace', uid: seen.uid }
}
