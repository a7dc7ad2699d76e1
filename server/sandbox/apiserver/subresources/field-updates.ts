import { clock } from '../../clock.ts'
import { type Resource } from '../../objects/resource.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'

type FieldUpdate = (old: KubeObject, next: KubeObject) => KubeObject

/** Subresources that write only some fields of an object. All other fields keep their values. */
export const fieldUpdateOf = (
  { plural }: Resource,
  subresource: string | undefined,
): FieldUpdate | undefined => narrowed[`${plural}/${subresource}`]

const narrowed: Readonly<Record<string, FieldUpdate>> = {
  'pods/ephemeralcontainers': (old, next) => ({
    ...old,
    spec: {
      ...dig.map(old, 'spec'),
      ephemeralContainers: dig.any(next, 'spec.ephemeralContainers'),
    },
  }),
  'pods/resize': (old, next) => ({
    ...old,
    spec: {
      ...dig.map(old, 'spec'),
      ...resized(old, next, 'containers'),
      ...resized(old, next, 'initContainers'),
    },
  }),
  'certificatesigningrequests/approval': (old, next) => ({
    ...old,
    status: {
      ...dig.map(old, 'status'),
      conditions: dig.list(next, 'status.conditions').map(withTimes),
    },
  }),
}

/** Changes only the resources of existing containers. It neither adds nor removes containers. */
function resized(
  old: KubeObject,
  next: KubeObject,
  field: 'containers' | 'initContainers',
): JsonMap {
  const requestedContainers = new Map(
    dig.list(next, `spec.${field}`).map((each) => [dig.text(each, 'name'), each]),
  )
  const containers = dig.list(old, `spec.${field}`).map((each): Json => {
    const requested = requestedContainers.get(dig.text(each, 'name'))
    if (!isMap(each) || !isMap(requested)) return each
    const { resources: _resources, resizePolicy: _policy, ...unchanged } = each
    const resources = { resources: requested.resources, resizePolicy: requested.resizePolicy }
    return {
      ...unchanged,
      ...Object.fromEntries(Object.entries(resources).filter(([, value]) => value !== undefined)),
    }
  })
  return containers.length > 0 ? { [field]: containers } : {}
}

function withTimes(condition: Json): Json {
  if (!isMap(condition)) return condition
  const now = clock.timestamp()
  return { lastUpdateTime: now, lastTransitionTime: now, ...condition }
}
