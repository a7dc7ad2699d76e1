import { type Cause } from '../../objects/cause.ts'
import { invalid } from '../../objects/status.ts'

type OptionsKind =
  | 'CreateOptions'
  | 'UpdateOptions'
  | 'PatchOptions'
  | 'DeleteOptions'
  | 'ListOptions'
  | 'TableOptions'

/** Returns the API server's error for an invalid parameter of a request. */
export const invalidOptions = (kind: OptionsKind, ...causes: readonly Cause[]) =>
  invalid({ kind, group: 'meta.k8s.io', label: `${kind}.meta.k8s.io` }, '', [...causes])

export const unsupported = (field: string, value: string, supported: readonly string[]): Cause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${value}: supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`,
  field,
})

export interface WriteOptions {
  dryRun: boolean
  fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  force: boolean
}

/** Reads the parameters of a request that writes. The kind names them in error messages. */
export function writeOptions(query: URLSearchParams, kind: OptionsKind): WriteOptions {
  const fieldValidation = query.get('fieldValidation') ?? ''
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    throw invalidOptions(
      kind,
      unsupported('fieldValidation', JSON.stringify(fieldValidation), [
        '',
        'Ignore',
        'Strict',
        'Warn',
      ]),
    )
  }
  return {
    dryRun: isDryRun(query.getAll('dryRun'), kind),
    fieldValidation:
      fieldValidation === 'Ignore' || fieldValidation === 'Strict' ? fieldValidation : 'Warn',
    force: ['true', '1'].includes(query.get('force') ?? ''),
  }
}

export function isDryRun(values: readonly string[], kind: OptionsKind): boolean {
  if (values.some((value) => value !== 'All'))
    throw invalidOptions(
      kind,
      unsupported('dryRun', `[${values.map((v) => JSON.stringify(v)).join(',')}]`, ['All']),
    )
  return values.length > 0
}
