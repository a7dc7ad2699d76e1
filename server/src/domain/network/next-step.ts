/** The desired state of a network, read from its row. */
export interface DesiredNetwork {
  deleteRequested: boolean
  isGone: boolean
  isActive: boolean
  /** True once the network has a driver and a segment of its own. */
  isAssigned: boolean
  /** True when the namespace of the VPC exists. */
  hasNamespace: boolean
  /** True when the network needs a subnet object, which must exist before the attachment. */
  needsSubnet: boolean
  /** The resource version of the attachment that Berth last wrote. */
  writtenVersion: string | null
  /** The generation of the subnet that Berth last wrote. */
  subnetGeneration: number | null
}

/** The observed attachment with the network's name. */
export interface ObservedAttachment {
  uid: string
  version: string
  /** True when its label names this row. */
  isOwned: boolean
  isDeleting: boolean
}

/** The observed subnet with the network's name. */
export interface ObservedSubnet {
  uid: string
  /**
   * The generation of the spec. The resource version would also change with each assigned address.
   */
  generation: number | null
  isOwned: boolean
  isDeleting: boolean
  isReady: boolean
}

export interface ObservedNetwork {
  attachment: ObservedAttachment | null
  subnet: ObservedSubnet | null
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

/** Decides the next step towards the desired state of a network. */
export function nextStep(desired: DesiredNetwork, observed: ObservedNetwork): NetworkStep {
  if (desired.isGone) return leftovers(observed)
  if (desired.deleteRequested) return towardsGone(observed)
  if (!desired.isAssigned) return { do: 'assign' }
  return desired.hasNamespace ? towardsOpen(desired, observed) : { do: 'wait' }
}

function towardsOpen(
  desired: DesiredNetwork,
  { attachment, subnet }: ObservedNetwork,
): NetworkStep {
  return (
    (desired.needsSubnet ? towardsSubnet(desired, subnet) : null) ??
    towardsAttachment(desired, attachment)
  )
}

/** Returns the next step for the subnet, or null when it matches its spec and is ready. */
function towardsSubnet(
  { subnetGeneration }: DesiredNetwork,
  observed: ObservedSubnet | null,
): NetworkStep | null {
  if (!observed) return { do: 'applySubnet' }
  if (observed.isDeleting) return { do: 'wait' }
  if (!observed.isOwned) return { do: 'fail' }
  if (observed.generation !== subnetGeneration) return { do: 'applySubnet' }
  return observed.isReady ? null : { do: 'wait' }
}

function towardsAttachment(
  { isActive, writtenVersion }: DesiredNetwork,
  observed: ObservedAttachment | null,
): NetworkStep {
  if (!observed) return { do: 'applyAttachment' }
  if (observed.isDeleting) return { do: 'wait' }
  if (!observed.isOwned) return { do: 'fail' }
  // VMs read the attachment at each start, so foreign changes are reverted.
  if (observed.version !== writtenVersion) return { do: 'applyAttachment' }
  return isActive ? { do: 'nothing' } : { do: 'open' }
}

/** Removes objects that a stale worker created after the deletion. */
function leftovers(observed: ObservedNetwork): NetworkStep {
  const step = removal(observed)
  return step === null || step.do === 'wait' ? { do: 'nothing' } : step
}

const towardsGone = (observed: ObservedNetwork): NetworkStep => removal(observed) ?? { do: 'erase' }

/**
 * Returns the next step of removal, or null when Berth owns neither object any more. The
 * attachment goes first, because VMs could still join through it. Foreign objects stay.
 */
function removal({ attachment, subnet }: ObservedNetwork): NetworkStep | null {
  if (attachment?.isOwned)
    return attachment.isDeleting ? { do: 'wait' } : { do: 'deleteAttachment', uid: attachment.uid }
  if (subnet?.isOwned)
    return subnet.isDeleting ? { do: 'wait' } : { do: 'deleteSubnet', uid: subnet.uid }
  return null
}
