import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'
import { mustBeUserData } from '../guest/cloud-config.ts'
import { namingField } from '../guest/cloud-config-refused.ts'

const maxGi = { isoSizeGi: 1024, bootDiskSizeGi: 65_536 } as const

const defaultGi = { isoSizeGi: 8, bootDiskSizeGi: 32 } as const

/** Validates a disk size in whole GiB. Without a size, the default is used. */
export function requireDiskSize(
  field: keyof typeof maxGi,
  requested: number | null | undefined,
): number {
  const value = requested ?? defaultGi[field]
  if (!Number.isInteger(value) || value < 1) throw invalid(field, messageOf('field.whole_gi'))
  if (value > maxGi[field])
    throw invalid(field, messageOf('field.at_most_gi', { most: maxGi[field] }))
  return value
}

const maxUserDataKi = 16
// Matches all control characters except tab, line feed and carriage return. Cloud-init reads text,
// so other control characters come from a mistake.
const unprintable = /(?![\t\n\r])\p{Cc}/u

/** Validates the size and the characters of user data; null when there is none. */
export function requireUserData(
  text: string | null | undefined,
  field = 'cloudInitUserData',
): string | null {
  if (!text || text.trim() === '') return null
  if (!text.isWellFormed() || unprintable.test(text))
    throw invalid(field, messageOf('field.control_characters_in_user_data'))
  if (Buffer.byteLength(text, 'utf8') > maxUserDataKi * 1024)
    throw invalid(field, messageOf('field.at_most_ki', { most: maxUserDataKi }))
  return text
}

/** Validates the user data that the VMs of a template get; null when there is none. */
export function requireUserDataOfTemplate(text: string | null | undefined): string | null {
  const userData = requireUserData(text)
  if (userData !== null) namingField('cloudInitUserData', () => mustBeUserData(userData))
  return userData
}

const storageClassName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/

/** Validates the name of a storage class; null means the default class of the cluster. */
export function requireStorageClass(text: string | null | undefined): string | null {
  if (!text) return null
  if (!storageClassName.test(text))
    throw invalid('storageClass', messageOf('field.storage_class_name'))
  return text
}
