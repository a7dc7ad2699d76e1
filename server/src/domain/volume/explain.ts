import { type ObservedCondition } from './data-volume.ts'
import { type DesiredVolume, type ObservedVolume, stateOf, type VolumeState } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/*
 * Explains to the owner why a volume is not in the expected state. Messages of the cluster only
 * select an explanation; they are never shown.
 */
export const volumeExplanationCodes = [
  'class_unusable',
  'failed',
  'first_use',
  'guest_lacks_it',
  'guest_holds_it',
  'lost',
  'platform_incomplete',
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

/** Explains the state of a volume, or returns null when there is nothing to explain. */
export function explain(
  desired: DesiredVolume,
  observed: ObservedVolume,
): VolumeExplanation | null {
  const code = codeByState[stateOf(desired, observed)](observed)
  return (
    code && {
      code,
      summary: messageOf(`volume.${code}.summary`),
      nextStep: messageOf(`volume.${code}.nextStep`),
      whoCanFix: whoCanFix[code],
    }
  )
}

/** Explains a volume for which the operator must provide a component or a right first. */
export const explainObstacle = (summary: Message): VolumeExplanation => ({
  code: 'platform_incomplete',
  summary,
  nextStep: messageOf('operation.continues'),
  whoCanFix: 'operator',
})

/** The codes that follow from the observed state. */
type ObservedCode = Exclude<VolumeExplanationCode, 'platform_incomplete'>

type Codes = Readonly<Record<VolumeState, (observed: ObservedVolume) => ObservedCode | null>>

const none = (): null => null

const codeByState: Codes = {
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

function whileCreating({ dataVolume }: ObservedVolume): ObservedCode | null {
  const text = dataVolume ? textOf(dataVolume.bound) + textOf(dataVolume.running) : ''
  if (/exceeded quota|ErrExceededQuota/.test(text)) return 'quota_exceeded'
  if (/ErrClaimNotValid|ErrUnableToCreatePVC|CloneValidationFailed/.test(text))
    return 'class_unusable'
  return /Unschedulable|ProvisioningFailed/.test(text) ? 'storage_slow' : null
}

const textOf = ({ isTrue, reason, message }: ObservedCondition): string =>
  isTrue ? '' : `${reason} ${message} `

const whoCanFix: Readonly<Record<ObservedCode, VolumeExplanation['whoCanFix']>> = {
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
