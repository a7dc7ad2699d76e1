import { list } from '../../engine/rest/json-schema.ts'
import { scalar } from '../../engine/rest/scalar.ts'

const { text, whole } = scalar

/*
 * The limits of a VM, which its rules in `domain` have, too. With them in the schema, a value that
 * is far beyond a limit is refused with the limit.
 */
export const limitedCpu = { ...whole, maximum: 1024 }
export const limitedMemoryMi = { ...whole, maximum: 16_777_216 }
export const limitedTags = { ...list(text), maxItems: 50 }
export const maxNetworks = 8
export const maxSecurityGroups = 10
