/** The desired state of a network, read from its row. */
export interface AskedNetwork {
  deleteRequested: boolean
  isGone: boolean
  isActive: boolean
  /** True once the network has a driver and a segment of its own. */
  isAssigned: boolean
  /** True when the namespace of the VPC exists. */
  hasPlace: boolean
  /** True when the network needs a subnet object, which must exist before the attachment. */
  hasSubnet: boolean
  /** The resource version of the attachment that Berth last wrote. */
  seenVersion: string | null
  /** The generation of the subnet that Berth last wrote. */
  subnetGeneration: number | null
}

/** The observed attachment with the network's name. */
export interface SeenAttachment {
  uid: string
  version: string
  /** True when its label names this row. */
  isOurs: boolean
  isDeleting: boolean
}

/** The observed subnet with the network's name. */
export interface SeenSubnet {
  uid: string
  /**
   * The generation of the spec. The resource version would also change with each assigned address.
   */
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

/** Decides the next step towards the desired state of a network. */
export function nextStep(desired: AskedNetwork, observed: SeenNetwork): NetworkStep {
  if (desired.isGone) return leftovers(observed)
  if (desired.deleteRequested) return towardsGone(observed)
  if (!desired.isAssigned) return { do: 'assign' }
  return desired.hasPlace ? towardsOpen(desired, observed) : { do: 'wait' }
}

function towardsOpen(desired: AskedNetwork, { attachment, subnet }: SeenNetwork): NetworkStep {
  return (
    (desired.hasSubnet ? towardsSubnet(desired, subnet) : null) ??
    towardsAttachment(desired, attachment)
  )
}

/** Returns the next step for the subnet, or null when it matches its spec and is ready. */
function towardsSubnet(
  { subnetGeneration }: AskedNetwork,
  observed: SeenSubnet | null,
): NetworkStep | null {
  if (!observed) return { do: 'applySubnet' }
  if (observed.isDeleting) return { do: 'wait' }
  if (!observed.isOurs) return { do: 'fail' }
  if (observed.generation !== subnetGeneration) return { do: 'applySubnet' }
  return observed.isReady ? null : { do: 'wait' }
}

function towardsAttachment(
  { isActive, seenVersion }: AskedNetwork,
  observed: SeenAttachment | null,
): NetworkStep {
  if (!observed) return { do: 'applyAttachment' }
  if (observed.isDeleting) return { do: 'wait' }
  if (!observed.isOurs) return { do: 'fail' }
  // VMs read the attachment at each start, so foreign changes are reverted.
  if (observed.version !== seenVersion) return { do: 'applyAttachment' }
  return isActive ? { do: 'nothing' } : { do: 'open' }
}

/** Removes objects that a stale worker created after the deletion. */
function leftovers(observed: SeenNetwork): NetworkStep {
  const step = removal(observed)
  return step === null || step.do === 'wait' ? { do: 'nothing' } : step
}

const towardsGone = (observed: SeenNetwork): NetworkStep => removal(observed) ?? { do: 'erase' }

/**
 * Returns the next step of removal, or null when both objects are gone. The attachment goes first,
 * because VMs could still join through it. Objects that Berth does not own stay.
 */
function removal({ attachment, subnet }: SeenNetwork): NetworkStep | null {
  if (attachment?.isOurs)
    return attachment.isDeleting ? { do: 'wait' } : { do: 'deleteAttachment', uid: attachment.uid }
  if (subnet?.isOurs)
    return subnet.isDeleting ? { do: 'wait' } : { do: 'deleteSubnet', uid: subnet.uid }
  return null
}
