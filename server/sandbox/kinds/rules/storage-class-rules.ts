import { isDeepStrictEqual } from 'node:util'
import { type Json, type KubeObject } from '../../objects/types.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { type Cause } from '../../objects/cause.ts'

/** A storage class is immutable except for its expansion, topologies and metadata. */
export const storageClassHooks: KindHooks = {
  normalise: (object) => ({
    ...object,
    reclaimPolicy: object.reclaimPolicy ?? 'Delete',
    volumeBindingMode: object.volumeBindingMode ?? 'Immediate',
  }),
  validate: (object, old) => [...valueCauses(object), ...(old ? changeCauses(object, old) : [])],
}

function valueCauses({ provisioner, reclaimPolicy, volumeBindingMode }: KubeObject): Cause[] {
  const missing: Cause = {
    reason: 'FieldValueRequired',
    message: 'Required value',
    field: 'provisioner',
  }
  return [
    ...((provisioner ?? '') === '' ? [missing] : []),
    ...choiceCauses('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain']),
    ...choiceCauses('volumeBindingMode', volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
  ]
}

function choiceCauses(
  field: string,
  value: Json | undefined,
  supported: readonly string[],
): Cause[] {
  if (supported.includes(String(value))) return []
  const list = supported.map((each) => JSON.stringify(each)).join(', ')
  return [
    {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`,
      field,
    },
  ]
}

function changeCauses(object: KubeObject, old: KubeObject): Cause[] {
  const changed = (field: string): boolean => !isDeepStrictEqual(object[field], old[field])
  const forbidden = ['parameters', 'provisioner', 'reclaimPolicy'].filter(changed).map((field) => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: updates to ${field} are forbidden.`,
    field,
  }))
  const mode: Cause = {
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(object.volumeBindingMode)}: field is immutable`,
    field: 'volumeBindingMode',
  }
  return [...forbidden, ...(changed('volumeBindingMode') ? [mode] : [])]
}
