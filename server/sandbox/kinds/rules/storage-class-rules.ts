import { isDeepStrictEqual } from 'node:util'
import { formats } from '../../objects/formats.ts'
import { read } from '../../objects/read.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { type Cause, causes, choice, problems } from '../../objects/cause.ts'

/** A storage class is immutable except for its expansion, topologies and metadata. */
export const storageClassHooks: KindHooks = {
  normalise: (object) => ({
    ...object,
    reclaimPolicy: object.reclaimPolicy ?? 'Delete',
    volumeBindingMode: object.volumeBindingMode ?? 'Immediate',
  }),
  validate: (object, old) => [...valueCauses(object), ...(old ? changeCauses(object, old) : [])],
}

function valueCauses(object: KubeObject): Cause[] {
  const { provisioner, reclaimPolicy, volumeBindingMode, parameters } = object
  const name = String(provisioner).toLowerCase()
  return [
    ...((provisioner ?? '') === ''
      ? [causes.required('provisioner')]
      : problems('provisioner', name, formats.qualifiedName(name))),
    ...('' in read.map(parameters)
      ? [causes.invalid('parameters', '', 'field can not be empty.')]
      : []),
    ...choice('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain']),
    ...choice('volumeBindingMode', volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
  ]
}

const immutable = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']

const changeCauses = (object: KubeObject, old: KubeObject): Cause[] =>
  immutable
    .filter((field) => !isDeepStrictEqual(object[field], old[field]))
    .map((field) => causes.invalid(field, object[field], 'field is immutable'))
