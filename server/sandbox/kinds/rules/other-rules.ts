import { isDeepStrictEqual } from 'node:util'
import { type Cause, causes, choice } from '../../objects/cause.ts'
import { read } from '../../objects/read.ts'
import { type KindHooks, type Schema } from '../../objects/resource.ts'
import { each, int, pointer, object, text, written } from '../../objects/schema.ts'
import { type Json } from '../../objects/types.ts'

/* Rules of small kinds on which no controller of the sandbox acts. */

export const leaseSchema: Schema = object({
  spec: written(
    object({
      ...each(pointer(text), 'acquireTime', 'holderIdentity', 'preferredHolder', 'renewTime'),
      ...each(pointer(int), 'leaseDurationSeconds', 'leaseTransitions'),
      strategy: pointer(text),
    }),
  ),
})

export const leaseHooks: KindHooks = {
  validate: ({ spec }) => {
    const { leaseDurationSeconds, leaseTransitions } = read.map(spec)
    return [
      ...atLeast('spec.leaseDurationSeconds', leaseDurationSeconds, 1),
      ...atLeast('spec.leaseTransitions', leaseTransitions, 0),
    ]
  },
}

const atLeast = (field: string, value: Json | undefined, least: 0 | 1): Cause[] =>
  value === undefined || Number(value) >= least
    ? []
    : [causes.invalid(field, value, least === 1 ? 'must be greater than 0' : notNegative)]

const notNegative = 'must be greater than or equal to 0'

const maxPriority = 1_000_000_000

export const priorityClassHooks: KindHooks = {
  normalise: (object_) => ({
    ...object_,
    value: object_.value ?? 0,
    preemptionPolicy: object_.preemptionPolicy ?? 'PreemptLowerPriority',
  }),
  validate: (object_, old) => [
    ...(Number(object_.value) > maxPriority && !object_.metadata.name.startsWith('system-')
      ? [
          causes.forbidden(
            'value',
            `maximum allowed value of a user defined priority is ${maxPriority}`,
          ),
        ]
      : []),
    ...choice('preemptionPolicy', object_.preemptionPolicy, ['PreemptLowerPriority', 'Never']),
    ...(old && old.value !== object_.value
      ? [causes.forbidden('value', 'may not be changed in an update.')]
      : []),
  ],
}

export const controllerRevisionHooks: KindHooks = {
  validate: ({ data }, old) =>
    old && !isDeepStrictEqual(data, old.data)
      ? [causes.invalid('data', data, 'field is immutable')]
      : [],
}
