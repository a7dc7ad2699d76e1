import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const mostGi = { isoSizeGi: 1024, bootDiskSizeGi: 65_536 } as const

const usualGi = { isoSizeGi: 8, bootDiskSizeGi: 32 } as const

/** A size of a disk in whole GiB; the usual one when none is given. */
export function requireDiskSize(
  field: keyof typeof mostGi,
  given: number | null | undefined,
): number {
  const value = given ?? usualGi[field]
  if (!Number.isInteger(value) || value < 1) throw invalid(field, messageOf('field.whole_gi'))
  if (value > mostGi[field])
    throw invalid(field, messageOf('field.at_most_gi', { most: mostGi[field] }))
  return value
}

const mostUserData = 16 * 1024
// Everything but tab, line feed and carriage return: cloud-init reads text, and a cut binary is
// somebody's mistake.
const unprintable = /[^\P{Cc}\t\n\r]/u

/** What guests are told at their first boot; null when there is nothing to tell. */
export function requireUserData(
  text: string | null | undefined,
  path = 'cloudInitUserData',
): string | null {
  if (!text || text.trim() === '') return null
  if (!text.isWellFormed() || unprintable.test(text))
    throw invalid(path, messageOf('field.control_characters'))
  if (Buffer.byteLength(text, 'utf8') > mostUserData)
    throw invalid(path, messageOf('field.at_most_ki'))
  return text
}

const className = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/

/** The name of a storage class; null takes the cluster's default. */
export function requireStorageClass(text: string | null | undefined): string | null {
  if (!text) return null
  if (!className.test(text)) throw invalid('storageClass', messageOf('field.storage_class_name'))
  return text
}
