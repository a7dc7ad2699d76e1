/** What was asked for a network, of its row. */
export interface AskedNetwork {
  deleteRequested: boolean
  isGone: boolean
  isActive: boolean
  /** How it is made has been decided, and nothing else is made in the same way. */
  isAssigned: boolean
  /** The VPC's namespace is there. */
  hasPlace: boolean
  /** Its addresses are a subnet of the cluster's own network, which has to be there first. */
  hasSubnet: boolean
  /** The attachment as we last wrote it. */
  seenVersion: string | null
  /** What its subnet says, as we last wrote it. */
  subnetGeneration: number | null
}

/** What the cluster shows under the network's name. */
export interface SeenAttachment {
  uid: string
  version: string
  /** Its label says that it belongs to this very row. */
  isOurs: boolean
  isDeleting: boolean
}

/** The subnet under the network's name. */
export interface SeenSubnet {
  uid: string
  /** Of what it says; its version would count addresses as well. */
  generation: number | null
  isOurs: boolean
  isDeleting: boolean
  isReady: boolean
}

export interface SeenNetwork {
  attachment: SeenAttachment | null
  subnet: SeenSubnet | null
}

export type NetworkStep =
  | { do: 'nothing' }
  | { do: 'wait' }
  | { do: 'assign' }
  | { do: 'applySubnet' }
  | { do: 'applyAttachment' }
  | { do: 'open' }
  | { do: 'deleteAttachment'; uid: string }
  | { do: 'deleteSubnet'; uid: string }
  | { do: 'erase' }
  | { do: 'fail' }

/** The one next step that brings a network nearer to what was asked. */
export function nextStep(asked: AskedNetwork, seen: SeenNetwork): NetworkStep {
  if (asked.isGone) return leftovers(seen)
  if (asked.deleteRequested) return towardsGone(seen)
  if (!asked.isAssigned) return { do: 'assign' }
  return asked.hasPlace ? towardsOpen(asked, seen) : { do: 'wait' }
}

function towardsOpen(asked: AskedNetwork, { attachment, subnet }: SeenNetwork): NetworkStep {
  return (
    (asked.hasSubnet ? towardsSubnet(asked, subnet) : null) ?? towardsAttachment(asked, attachment)
  )
}

/** Null when it is as it should be. */
function towardsSubnet(
  { subnetGeneration }: AskedNetwork,
  seen: SeenSubnet | null,
): NetworkStep | null {
  if (!seen) return { do: 'applySubnet' }
  if (seen.isDeleting) return { do: 'wait' }
  if (!seen.isOurs) return { do: 'fail' }
  if (seen.generation !== subnetGeneration) return { do: 'applySubnet' }
  return seen.isReady ? null : { do: 'wait' }
}

function towardsAttachment(
  { isActive, seenVersion }: AskedNetwork,
  seen: SeenAttachment | null,
): NetworkStep {
  if (!seen) return { do: 'applyAttachment' }
  if (seen.isDeleting) return { do: 'wait' }
  if (!seen.isOurs) return { do: 'fail' }
  // VMs read it at each start: what somebody else wrote into it is put right.
  if (seen.version !== seenVersion) return { do: 'applyAttachment' }
  return isActive ? { do: 'nothing' } : { do: 'open' }
}

/** A worker that was paused may have made it after the end. */
function leftovers(seen: SeenNetwork): NetworkStep {
  const step = removal(seen)
  return step === null || step.do === 'wait' ? { do: 'nothing' } : step
}

const towardsGone = (seen: SeenNetwork): NetworkStep => removal(seen) ?? { do: 'erase' }

/**
 * The attachment goes first, for with it somebody might still come. A stranger's object of our name
 * is not ours to remove. Null when both are gone.
 */
function removal({ attachment, subnet }: SeenNetwork): NetworkStep | null {
  if (attachment?.isOurs)
    return attachment.isDeleting ? { do: 'wait' } : { do: 'deleteAttachment', uid: attachment.uid }
  if (subnet?.isOurs)
    return subnet.isDeleting ? { do: 'wait' } : { do: 'deleteSubnet', uid: subnet.uid }
  return null
}
