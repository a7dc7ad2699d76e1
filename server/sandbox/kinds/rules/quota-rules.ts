import { isDeepStrictEqual } from 'node:util'
import { type Cause, causes } from '../../objects/cause.ts'
import { read } from '../../objects/read.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { numberOf } from '../../quantity.ts'
import { resourceNames } from './resource-names.ts'

/** The API server's own rules for a ResourceQuota. Admission charges objects to it. */
export const quotaHooks: KindHooks = {
  validate: ({ spec }, old) => [
    ...hardCauses(read.map(read.map(spec).hard)),
    ...scopeCauses(read.map(spec)),
    ...selectorCauses(read.map(spec)),
    ...(old ? changeCauses(read.map(spec), old) : []),
  ],
}

const hardCauses = (hard: JsonMap): Cause[] =>
  Object.entries(hard).flatMap(([name, amount]) => {
    const field = `spec.hard[${name}]`
    const value = numberOf(amount) ?? 0
    return [
      ...resourceNames.quota(field, name),
      ...(value < 0 ? [causes.invalid(field, amount, 'must be greater than or equal to 0')] : []),
      ...(resourceNames.isCounted(name) && !Number.isInteger(value)
        ? [causes.invalid(field, amount, 'must be an integer')]
        : []),
    ]
  })

const compute = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']
const ofPods = ['pods', ...compute]
const ofClaims = ['persistentvolumeclaims', 'requests.storage']

/** The scopes, each with the standard resources that it can restrict. */
const resourcesOf: Readonly<Record<string, readonly string[]>> = {
  Terminating: ofPods,
  NotTerminating: ofPods,
  BestEffort: ['pods'],
  NotBestEffort: ofPods,
  PriorityClass: ofPods,
  CrossNamespacePodAffinity: ofPods,
  VolumeAttributesClass: ofClaims,
}
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const
const named = ['PriorityClass', 'VolumeAttributesClass']

/** The number of standard resources in the quota that the scope cannot restrict. */
const misfits = (scope: string, { hard }: JsonMap): string[] =>
  Object.keys(read.map(hard)).filter(
    (name) => resourceNames.isOfQuota(name) && resourcesOf[scope]?.includes(name) === false,
  )

const isContradiction = (scopes: readonly string[]): boolean[] =>
  opposites.map((pair) => pair.every((scope) => scopes.includes(scope))).filter(Boolean)

function scopeCauses(spec: JsonMap): Cause[] {
  const scopes = read.texts(spec.scopes)
  const wrong = (why: string): Cause => causes.invalid('spec.scopes', [...scopes], why)
  return [
    ...scopes.flatMap((scope) => [
      ...(scope in resourcesOf ? [] : [wrong('unsupported scope')]),
      ...misfits(scope, spec).map(() => wrong('unsupported scope applied to resource')),
    ]),
    ...isContradiction(scopes).map(() => wrong('conflicting scopes')),
  ]
}

const existsOnly =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"

function selectorCauses(spec: JsonMap): Cause[] {
  const field = 'spec.scopeSelector.matchExpressions'
  const expressions = read.maps(read.at(spec.scopeSelector, 'matchExpressions'))
  const scopes = expressions.map(({ scopeName }) => read.text(scopeName))
  return [
    ...expressions.flatMap(({ scopeName, operator, values }) => {
      const scope = read.text(scopeName)
      const isKnown = scope in resourcesOf
      return [
        ...(isKnown ? [] : [causes.invalid(`${field}.scopeName`, scope, 'unsupported scope')]),
        ...misfits(scope, spec).map(() =>
          causes.invalid(field, spec.scopeSelector, 'unsupported scope applied to resource'),
        ),
        ...(isKnown && !named.includes(scope) && operator !== 'Exists'
          ? [causes.invalid(`${field}.operator`, operator, existsOnly)]
          : []),
        ...valueCauses(field, read.text(operator), read.texts(values)),
      ]
    }),
    ...isContradiction(scopes).map(() =>
      causes.invalid('spec.scopeSelector.matchExpressions', null, 'conflicting scopes'),
    ),
  ]
}

function valueCauses(field: string, operator: string, values: readonly string[]): Cause[] {
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
    return values.length > 0 ? [] : [causes.required(`${field}.values`, why)]
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
    return values.length === 0 ? [] : [causes.invalid(`${field}.values`, [...values], why)]
  }
  return [causes.invalid(`${field}.operator`, operator, 'not a valid selector operator')]
}

/** The scopes of a quota are immutable. */
function changeCauses({ scopes }: JsonMap, old: KubeObject): Cause[] {
  const [before, after] = [read.texts(read.spec(old).scopes), read.texts(scopes)]
  return isDeepStrictEqual(new Set(before), new Set(after))
    ? []
    : [causes.invalid('spec.scopes', after, 'field is immutable')]
}
