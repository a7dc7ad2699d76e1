import { type Cause, causes, problems } from '../../objects/cause.ts'
import { formats } from '../../objects/formats.ts'
import { read } from '../../objects/read.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { type JsonMap } from '../../objects/types.ts'
import { numberOf } from '../../quantity.ts'
import { resourceNames } from './resource-names.ts'

/** The API server's own rules for a LimitRange. Admission applies it to pods and claims. */
export const limitRangeHooks: KindHooks = {
  normalise: (range) => {
    const spec = read.spec(range)
    const limits = spec.limits ? read.maps(spec.limits).map(withDefaults) : null
    return { ...range, spec: { ...spec, limits } }
  },
  validate: ({ spec }) => {
    const limits = read.maps(read.map(spec).limits)
    return limits.flatMap((limit, index) => limitCauses(limit, `spec.limits[${index}]`, limits))
  },
}

/** Containers get their default from the maximum, and their request from default or minimum. */
function withDefaults(limit: JsonMap): JsonMap {
  if (limit.type !== 'Container') return limit
  const fallback = { ...read.map(limit.max), ...read.map(limit.default) }
  const request = { ...read.map(limit.min), ...fallback, ...read.map(limit.defaultRequest) }
  return {
    ...limit,
    ...(Object.keys(fallback).length > 0 ? { default: fallback } : {}),
    ...(Object.keys(request).length > 0 ? { defaultRequest: request } : {}),
  }
}

const types = ['Container', 'PersistentVolumeClaim', 'Pod']
const parts = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const

function limitCauses(limit: JsonMap, field: string, all: readonly JsonMap[]): Cause[] {
  const type = read.text(limit.type)
  const checkName =
    type === 'Pod' || type === 'Container' ? resourceNames.container : resourceNames.any
  const names = parts.filter((part) => !isMisplaced(type, part))
  const storage = { ...read.map(limit.min), ...read.map(limit.max) }['storage']
  const resources = new Set(names.flatMap((part) => Object.keys(read.map(limit[part]))))
  return [
    ...typeCauses(`${field}.type`, type),
    ...(isRepeated(all, limit) ? [causes.duplicate(`${field}.type`, type)] : []),
    ...parts.flatMap((part) =>
      isMisplaced(type, part)
        ? misplaced(`${field}.${part}`, limit[part])
        : Object.keys(read.map(limit[part])).flatMap((name) =>
            checkName(`${field}.${part}[${name}]`, name),
          ),
    ),
    ...(type === 'PersistentVolumeClaim' && storage === undefined
      ? [causes.required(`${field}.limits`, storageRequired)]
      : []),
    ...[...resources].flatMap((name) => orderCauses(limit, field, name)),
  ]
}

const storageRequired =
  'either minimum or maximum storage value is required, but neither was provided'

const isRepeated = (all: readonly JsonMap[], limit: JsonMap): boolean =>
  all.findIndex(({ type }) => type === limit.type) < all.indexOf(limit)

const isMisplaced = (type: string, part: string): boolean =>
  type === 'Pod' && part.startsWith('default')

const misplaced = (field: string, value: JsonMap[string]): Cause[] =>
  Object.keys(read.map(value)).length > 0
    ? [causes.forbidden(field, "may not be specified when `type` is 'Pod'")]
    : []

function typeCauses(field: string, type: string): Cause[] {
  const wrong = problems(field, type, formats.qualifiedName(type))
  if (wrong.length > 0 || type.includes('/') || types.includes(type)) return wrong
  return [causes.invalid(field, type, 'must be a standard limit type or fully qualified')]
}

/** Pairs of amounts of which the first must not exceed the second, with the field to blame. */
const orders = [
  { low: 'min', high: 'max', at: 'min', shows: 'min', texts: ['min', 'max'] },
  {
    low: 'min',
    high: 'defaultRequest',
    at: 'defaultRequest',
    shows: 'defaultRequest',
    texts: ['min', 'default request'],
  },
  {
    low: 'defaultRequest',
    high: 'max',
    at: 'defaultRequest',
    shows: 'defaultRequest',
    texts: ['default request', 'max'],
  },
  {
    low: 'defaultRequest',
    high: 'default',
    at: 'defaultRequest',
    shows: 'defaultRequest',
    texts: ['default request', 'default limit'],
  },
  { low: 'min', high: 'default', at: 'default', shows: 'min', texts: ['min', 'default'] },
  { low: 'default', high: 'max', at: 'default', shows: 'max', texts: ['default', 'max'] },
] as const

function orderCauses(limit: JsonMap, field: string, name: string): Cause[] {
  const amount = (part: string): JsonMap[string] => read.map(limit[part])[name]
  const value = (part: string): number | null => numberOf(amount(part))
  const wrong = orders.flatMap(({ low, high, at, shows, texts: [first, second] }) => {
    const [least, most] = [value(low), value(high)]
    if (least === null || most === null || least <= most) return []
    const why = `${first} value ${String(amount(low))} is greater than ${second} value ${String(amount(high))}`
    return [causes.invalid(`${field}.${at}[${name}]`, amount(shows), why)]
  })
  return [...wrong, ...ratioCauses(limit, field, name), ...unsharedCauses(limit, field, name)]
}

function ratioCauses(limit: JsonMap, field: string, name: string): Cause[] {
  const amount = read.map(limit.maxLimitRequestRatio)[name]
  const ratio = numberOf(amount)
  if (ratio === null) return []
  const at = `${field}.maxLimitRequestRatio[${name}]`
  const [least, most] = [numberOf(read.map(limit.min)[name]), numberOf(read.map(limit.max)[name])]
  const bound = least !== null && most !== null ? most / least : Infinity
  return [
    ...(ratio < 1 ? [causes.invalid(at, amount, `ratio ${String(amount)} is less than 1`)] : []),
    ...(ratio > bound
      ? [
          causes.invalid(
            at,
            amount,
            `ratio ${String(amount)} is greater than max/min = ${bound.toFixed(6)}`,
          ),
        ]
      : []),
  ]
}

/** A resource that no node overcommits has one value for request and limit. */
function unsharedCauses(limit: JsonMap, field: string, name: string): Cause[] {
  const [amount, request] = [read.map(limit.default)[name], read.map(limit.defaultRequest)[name]]
  if (resourceNames.isShared(name) || amount === undefined || request === undefined) return []
  if (numberOf(amount) === numberOf(request)) return []
  const why = `default value ${String(amount)} must equal to defaultRequest value ${String(request)} in ${name}`
  return [causes.invalid(`${field}.defaultRequest[${name}]`, request, why)]
}
