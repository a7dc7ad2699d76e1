import { type SeenCondition } from './data-volume.ts'
import { type AskedVolume, type SeenVolume, stateOf, type VolumeState } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

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
  summary: Message
  nextStep: Message
  whoCanFix: 'you' | 'operator' | 'nobody'
}

/** What there is to explain about a volume; null when all is plain. */
export function explain(asked: AskedVolume, seen: SeenVolume): VolumeExplanation | null {
  const code = codes[stateOf(asked, seen)](seen)
  return (
    code && {
      code,
      summary: messageOf(`volume.${code}.summary`),
      nextStep: messageOf(`volume.${code}.nextStep`),
      whoCanFix: whoCanFix[code],
    }
  )
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

const whoCanFix: Readonly<Record<VolumeExplanationCode, VolumeExplanation['whoCanFix']>> = {
  class_unusable: 'you',
  failed: 'you',
  first_use: 'nobody',
  guest_lacks_it: 'you',
  guest_holds_it: 'you',
  lost: 'operator',
  quota_exceeded: 'you',
  resize_waits: 'operator',
  storage_slow: 'operator',
}
