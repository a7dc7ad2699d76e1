import { type WebhookRequest } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { type Usage, added, amountsOf } from './usage.ts'
import { amountOf, formatAmount } from './amount.ts'

const limitsOf = (
  { list }: WebhookRequest,
  namespace: string | undefined,
  type: string,
): JsonMap[] =>
  list('limitranges', namespace).flatMap((range) =>
    read.maps(read.spec(range).limits).filter((each) => each.type === type),
  )

/** Sets the namespace's default limits and requests on containers that have none. */
export function withDefaultLimits(request: WebhookRequest): KubeObject {
  const { object, old, resource } = request
  if (old || resource.group !== '' || resource.plural !== 'pods') return object
  const ranges = limitsOf(request, object.metadata.namespace, 'Container')
  if (ranges.length === 0) return object
  const spec = read.spec(object)
  const filled = (containers: Json | undefined): JsonMap[] =>
    read.maps(containers).map((each) => ranges.reduce(withDefaults, each))
  return {
    ...object,
    spec: {
      ...spec,
      containers: filled(spec.containers),
      ...(spec.initContainers ? { initContainers: filled(spec.initContainers) } : {}),
    },
  }
}

function withDefaults(container: JsonMap, range: JsonMap): JsonMap {
  const { limits, requests, ...rest } = read.map(container.resources)
  const allLimits = { ...read.map(range.default), ...read.map(limits) }
  // A container with a limit and no request requests as much as its limit.
  const allRequests = {
    ...allLimits,
    ...read.map(range.defaultRequest),
    ...read.map(limits),
    ...read.map(requests),
  }
  return { ...container, resources: { ...rest, limits: allLimits, requests: allRequests } }
}

/** Refuses a pod or claim whose amounts are outside of the namespace's limit ranges. */
export function mustFitLimits(request: WebhookRequest): void {
  const { resource, object, old } = request
  const { namespace, name } = object.metadata
  if (resource.group !== '' || (old && resource.plural === 'pods')) return
  const causes =
    resource.plural === 'pods'
      ? podViolations(request, namespace)
      : claimViolations(request, namespace)
  const text = causes.length > 1 ? `[${causes.join(', ')}]` : causes[0]
  if (text !== undefined) throw refuse.forbidden(resource, name, { text })
}

function podViolations(request: WebhookRequest, namespace: string | undefined): string[] {
  const spec = read.spec(request.object)
  const containers = [...read.maps(spec.initContainers), ...read.maps(spec.containers)]
  const ofEach = limitsOf(request, namespace, 'Container').flatMap((range) =>
    containers.flatMap((each) => bounds(range, 'Container', sides(each))),
  )
  const sum = containers.map(sides).reduce<Sides>(
    (all, each) => ({
      limits: added(all.limits, each.limits),
      requests: added(all.requests, each.requests),
    }),
    none,
  )
  return [
    ...ofEach,
    ...limitsOf(request, namespace, 'Pod').flatMap((range) => bounds(range, 'Pod', sum)),
  ]
}

function claimViolations(request: WebhookRequest, namespace: string | undefined): string[] {
  if (request.resource.plural !== 'persistentvolumeclaims') return []
  const requests = amountsOf(read.spec(request.object), 'requests')
  return limitsOf(request, namespace, 'PersistentVolumeClaim').flatMap((range) =>
    bounds(range, 'PersistentVolumeClaim', { limits: requests, requests }),
  )
}

interface Sides {
  limits: Usage
  requests: Usage
}

const none: Sides = { limits: {}, requests: {} }
const sides = (container: JsonMap): Sides => ({
  limits: amountsOf(container, 'limits'),
  requests: amountsOf(container, 'requests'),
})

/** Violations in Kubernetes' order: minimum, maximum, ratio of limit to request. */
function bounds(range: JsonMap, type: string, { limits, requests }: Sides): string[] {
  const per = (name: string): string => `${name} usage per ${type} is`
  const low = Object.entries(read.map(range.min)).flatMap(([name, bound]) => {
    const [least, requested] = [amountOf(bound), requests[name]]
    if (!requested) return [`minimum ${per(name)} ${String(bound)}.  No request is specified`]
    return least && requested.value < least.value
      ? [`minimum ${per(name)} ${String(bound)}, but request is ${formatAmount(requested)}`]
      : []
  })
  const high = Object.entries(read.map(range.max)).flatMap(([name, bound]) => {
    const [most, limit] = [amountOf(bound), limits[name]]
    if (!limit) return [`maximum ${per(name)} ${String(bound)}.  No limit is specified`]
    return most && limit.value > most.value
      ? [
          `maximum ${per(name)} ${String(bound)}, but ${type === 'PersistentVolumeClaim' ? 'request' : 'limit'} is ${formatAmount(limit)}`,
        ]
      : []
  })
  return [
    ...low,
    ...high,
    ...Object.entries(read.map(range.maxLimitRequestRatio)).flatMap(([name, bound]) =>
      ratio(name, bound, { limits, requests, type }),
    ),
  ]
}

function ratio(
  name: string,
  bound: Json | undefined,
  { limits, requests, type }: Sides & { type: string },
): string[] {
  const [limit, request, most] = [limits[name], requests[name], amountOf(bound)]
  if (!limit || !request || !most || limit.value <= request.value * most.value) return []
  return [
    `${name} max limit to request ratio per ${type} is ${String(bound)}, but provided ratio is ${(limit.value / request.value).toFixed(6)}`,
  ]
}
