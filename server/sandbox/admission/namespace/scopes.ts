import { type Resource } from '../../objects/resource.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'

/** True when the quota counts the object. A quota with scopes counts only pods. */
export function isInScopes(
  quota: KubeObject,
  { group, plural }: Pick<Resource, 'group' | 'plural'>,
  object: KubeObject,
): boolean {
  const { scopes, scopeSelector } = read.spec(quota)
  const selectors = [
    ...read.texts(scopes).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...read.maps(read.map(scopeSelector).matchExpressions),
  ]
  if (selectors.length === 0) return true
  if (group !== '' || plural !== 'pods') return false
  return selectors.every((each) => matches(each, object))
}

function matches({ scopeName, operator, values }: JsonMap, pod: KubeObject): boolean {
  const spec = read.spec(pod)
  const isLimitedInTime = typeof spec.activeDeadlineSeconds === 'number'
  const isBestEffort = [...read.maps(spec.containers), ...read.maps(spec.initContainers)].every(
    (container) => {
      const { limits, requests } = read.map(container.resources)
      return Object.keys({ ...read.map(limits), ...read.map(requests) }).length === 0
    },
  )
  const priority = read.text(spec.priorityClassName)
  const isOneOf = read.texts(values).includes(priority)
  const holds: Readonly<Record<string, boolean>> = {
    Terminating: isLimitedInTime,
    NotTerminating: !isLimitedInTime,
    BestEffort: isBestEffort,
    NotBestEffort: !isBestEffort,
    PriorityClass:
      { In: isOneOf, NotIn: !isOneOf, Exists: priority !== '', DoesNotExist: priority === '' }[
        read.text(operator)
      ] ?? false,
  }
  return holds[read.text(scopeName)] ?? false
}
