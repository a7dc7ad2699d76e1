import { type SeenCondition } from './data-volume.ts'
import { type AskedVolume, type SeenVolume, stateOf, type VolumeState } from './state.ts'

/*
 * Why a volume is not as one would expect, for whoever owns it. The cluster's own sentences choose
 * among ours and are never repeated.
 */
export const volumeExplanationCodes = [
  'class_unusable',
  'failed',
  'first_use',
  'guest_lacks_it',
  'guest_holds_it',
  'lost',
  'quota_exceeded',
  'resize_waits',
  'storage_slow',
] as const
export type VolumeExplanationCode = (typeof volumeExplanationCodes)[number]

export interface VolumeExplanation {
  code: VolumeExplanationCode
  summary: string
  nextStep: string
  whoCanFix: 'you' | 'operator' | 'nobody'
}

/** What there is to explain about a volume; null when all is plain. */
export function explain(asked: AskedVolume, seen: SeenVolume): VolumeExplanation | null {
  const code = codes[stateOf(asked, seen)](seen)
  return code && { code, ...words[code] }
}

type Codes = Readonly<Record<VolumeState, (seen: SeenVolume) => VolumeExplanationCode | null>>

const none = (): null => null

const codes: Codes = {
  creating: whileCreating,
  ready: ({ claim }) => (claim?.phase === 'Bound' ? null : 'first_use'),
  attaching: () => 'guest_lacks_it',
  attached: none,
  detaching: () => 'guest_holds_it',
  resizing: () => 'resize_waits',
  lost: () => 'lost',
  failed: () => 'failed',
  deleting: none,
}

function whileCreating({ filling }: SeenVolume): VolumeExplanationCode | null {
  const said = filling ? textOf(filling.bound) + textOf(filling.running) : ''
  if (/exceeded quota|ErrExceededQuota/.test(said)) return 'quota_exceeded'
  if (/ErrClaimNotValid|ErrUnableToCreatePVC|CloneValidationFailed/.test(said))
    return 'class_unusable'
  return /Unschedulable|ProvisioningFailed/.test(said) ? 'storage_slow' : null
}

const textOf = ({ isTrue, reason, message }: SeenCondition): string =>
  isTrue ? '' : `${reason} ${message} `

const words: Readonly<Record<VolumeExplanationCode, Omit<VolumeExplanation, 'code'>>> = {
  class_unusable: {
    summary: 'The kind of storage that was chosen cannot hold this volume.',
    nextStep: 'Delete the volume and create it with another storage class.',
    whoCanFix: 'you',
  },
  failed: {
    summary: 'The volume could not be made; nothing of it is there.',
    nextStep: 'See why in its operation, delete it, and create it again.',
    whoCanFix: 'you',
  },
  first_use: {
    summary:
      'The volume takes room when it is attached for the first time, as its storage class wants it.',
    nextStep:
      'Nothing: attach it when you need it. Until then it cannot be resized, and there is nothing to take a snapshot of.',
    whoCanFix: 'nobody',
  },
  guest_lacks_it: {
    summary: 'The VM does not have the volume yet.',
    nextStep:
      'Wait a moment. If it stays so, detach it, and attach it again when the VM is stopped.',
    whoCanFix: 'you',
  },
  guest_holds_it: {
    summary: 'The VM still has the volume.',
    nextStep:
      'Unmount it in the guest, and wait a moment. A stop of the VM lets it go in any case.',
    whoCanFix: 'you',
  },
  lost: {
    summary: 'The volume was removed outside of this platform.',
    nextStep:
      'Ask the operator what happened. Delete the volume here; a snapshot of it can be restored to a new one.',
    whoCanFix: 'operator',
  },
  quota_exceeded: {
    summary: 'A limit of your tenant holds the volume back.',
    nextStep: 'Delete volumes that you do not need, or ask the operator for a higher limit.',
    whoCanFix: 'you',
  },
  resize_waits: {
    summary: 'The storage has not grown the volume yet.',
    nextStep: 'Wait. If it stays so, tell the operator the name of the volume.',
    whoCanFix: 'operator',
  },
  storage_slow: {
    summary: 'The storage has no room for the volume at the moment.',
    nextStep: 'It is tried again by itself. If it stays so, ask the operator.',
    whoCanFix: 'operator',
  },
}
