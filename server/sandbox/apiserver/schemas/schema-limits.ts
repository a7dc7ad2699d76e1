import { type Json } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'
import { type Cause } from '../../objects/cause.ts'

/**
 * Validates the limits of a value of the right type: length, range, pattern, format and
 * enumeration.
 */
export function limitCauses(path: string, value: Json, schema: Schema): Cause[] {
  if (typeof value === 'string') return textCauses(path, value, schema)
  if (typeof value === 'number') return numberCauses(path, value, schema)
  return Array.isArray(value) ? listCauses(path, value.length, schema) : []
}

const invalid = (field: string, value: string, why: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${value}: ${field} in body should ${why}`,
  field,
})

function textCauses(field: string, value: string, schema: Schema): Cause[] {
  const { pattern, format } = schema
  const quoted = JSON.stringify(value)
  const causes = lengthCauses(field, value, schema)
  if (pattern !== undefined && !matches(pattern, value))
    causes.push(invalid(field, quoted, `match '${pattern}'`))
  if (format === 'date-time' && !isTime(value)) {
    const message = `Invalid value: ${quoted}: ${field} in body must be of type date-time: ${quoted}`
    causes.push({ reason: 'FieldValueTypeInvalid', message, field })
  }
  if (schema.enum && !schema.enum.includes(value))
    causes.push(unsupportedValue(field, quoted, schema.enum))
  return causes
}

function lengthCauses(field: string, value: string, { maxLength, minLength }: Schema): Cause[] {
  const length = [...value].length
  if (maxLength !== undefined && length > maxLength) {
    return [
      {
        reason: 'FieldValueTooLong',
        message: `Too long: may not be more than ${counted(maxLength, 'byte')}`,
        field,
      },
    ]
  }
  if (minLength === undefined || length >= minLength) return []
  return [invalid(field, JSON.stringify(value), `be at least ${minLength} chars long`)]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const unsupportedValue = (field: string, quoted: string, supported: readonly string[]): Cause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${quoted}: supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`,
  field,
})

const compiled = new Map<string, RegExp>()

function matches(pattern: string, value: string): boolean {
  const regex = compiled.get(pattern) ?? new RegExp(pattern, 'u')
  compiled.set(pattern, regex)
  return regex.test(value)
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

const isTime = (value: string): boolean => rfc3339.test(value) && !Number.isNaN(Date.parse(value))

const ranges = { int32: 2 ** 31, int64: 2 ** 63 }

function numberCauses(field: string, value: number, schema: Schema): Cause[] {
  const { minimum, maximum, format } = schema
  const causes: Cause[] = []
  if (format === 'int32' || format === 'int64') {
    const limit = ranges[format]
    if (value >= limit || value < -limit) {
      // The error for a format range does not name its field.
      const message = `Invalid value: "": Checked value must be of type integer with format ${format} in ${field}`
      causes.push({ reason: 'FieldValueInvalid', message, field: '<nil>' })
    }
  }
  if (maximum !== undefined && value > maximum)
    causes.push(invalid(field, String(value), `be less than or equal to ${maximum}`))
  if (minimum !== undefined && value < minimum)
    causes.push(invalid(field, String(value), `be greater than or equal to ${minimum}`))
  return causes
}

function listCauses(field: string, length: number, { minItems, maxItems }: Schema): Cause[] {
  if (minItems !== undefined && length < minItems)
    return [invalid(field, String(length), `have at least ${minItems} items`)]
  if (maxItems === undefined || length <= maxItems) return []
  return [
    {
      reason: 'FieldValueTooMany',
      message: `Too many: ${length}: must have at most ${counted(maxItems, 'item')}`,
      field,
    },
  ]
}
