import { type Json, type JsonMap } from './types.ts'

/** A validation error of one field. */
export interface Cause extends JsonMap {
  reason: string
  message: string
  field: string
}

/** The API server's texts for validation errors. */
export const causes = {
  required: (field: string, why = ''): Cause => ({
    reason: 'FieldValueRequired',
    message: why === '' ? 'Required value' : `Required value: ${why}`,
    field,
  }),
  invalid: (field: string, value: Json | undefined, why: string): Cause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(value === undefined ? '' : value)}: ${why}`,
    field,
  }),
  forbidden: (field: string, why: string): Cause => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${why}`,
    field,
  }),
  duplicate: (field: string, value: Json | undefined): Cause => ({
    reason: 'FieldValueDuplicate',
    message: `Duplicate value: ${JSON.stringify(value)}`,
    field,
  }),
  tooMany: (field: string, count: number, most: number): Cause => ({
    reason: 'FieldValueTooMany',
    message: `Too many: ${count}: must have at most ${most} items`,
    field,
  }),
  tooLong: (field: string, most: number): Cause => ({
    reason: 'FieldValueTooLong',
    message: `Too long: may not be more than ${most} bytes`,
    field,
  }),
  unsupported: (field: string, value: Json | undefined, supported: readonly string[]): Cause => ({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`,
    field,
  }),
}

/** No cause for one of the supported values. */
export const choice = (
  field: string,
  value: Json | undefined,
  supported: readonly string[],
): Cause[] =>
  supported.includes(String(value)) ? [] : [causes.unsupported(field, value, supported)]

/** One cause for each problem with the value. */
export const problems = (
  field: string,
  value: Json | undefined,
  texts: readonly string[],
): Cause[] => texts.map((text) => causes.invalid(field, value, text))

/** A cause for each item that repeats an earlier one. */
export const repetitions = (
  values: readonly (Json | undefined)[],
  fieldAt: (index: number) => string,
): Cause[] =>
  values.flatMap((value, index) =>
    value !== undefined && values.indexOf(value) < index
      ? [causes.duplicate(fieldAt(index), value)]
      : [],
  )
