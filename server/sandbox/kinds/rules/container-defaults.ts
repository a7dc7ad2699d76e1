import { type Json, type JsonMap, isMap } from '../../objects/types.ts'

/** Adds the defaults for missing keys. A null value counts as missing when it has a default. */
export const withDefaults = (map: JsonMap, defaults: JsonMap): JsonMap => ({
  ...defaults,
  ...Object.fromEntries(
    Object.entries(map).filter(([key, value]) => value !== null || defaults[key] === undefined),
  ),
})

export function containerDefaults(container: JsonMap): JsonMap {
  const filled = withDefaults(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(container.image),
    resources: {},
  })
  return {
    ...filled,
    resources: withRequests(filled.resources),
    ...each('ports', container.ports, (port) => withDefaults(port, { protocol: 'TCP' })),
    ...each('env', container.env, withFieldVersion),
    ...probes(container),
  }
}

const each = (
  name: string,
  list: Json | undefined,
  complete: (item: JsonMap) => JsonMap,
): JsonMap =>
  Array.isArray(list) ? { [name]: list.map((item) => (isMap(item) ? complete(item) : item)) } : {}

/** An image with the tag `latest` can change, so it is always pulled. */
export function pullPolicyOf(image: Json | undefined): string {
  const reference = typeof image === 'string' ? image : ''
  if (reference.includes('@')) return 'IfNotPresent'
  const tag = /:([^/:]+)$/.exec(reference)?.[1] ?? 'latest'
  return tag === 'latest' ? 'Always' : 'IfNotPresent'
}

/** A resource with a limit and no request gets a request that equals the limit. */
function withRequests(resources: Json | undefined): Json {
  if (!isMap(resources) || !isMap(resources.limits) || Object.keys(resources.limits).length === 0)
    return resources ?? {}
  return {
    ...resources,
    requests: { ...resources.limits, ...(isMap(resources.requests) ? resources.requests : {}) },
  }
}

function withFieldVersion(variable: JsonMap): JsonMap {
  const { valueFrom } = variable
  if (!isMap(valueFrom) || !isMap(valueFrom.fieldRef)) return variable
  return {
    ...variable,
    valueFrom: { ...valueFrom, fieldRef: withDefaults(valueFrom.fieldRef, { apiVersion: 'v1' }) },
  }
}

const probeDefaults = {
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
}

const probes = (container: JsonMap): JsonMap =>
  Object.fromEntries(
    ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((kind) => {
      const probe = container[kind]
      return isMap(probe) ? [[kind, withDefaults(probe, probeDefaults)] as const] : []
    }),
  )
