import { clock } from '../../clock.ts'
import { type Resource } from '../../objects/resource.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'

type Narrowed = (old: KubeObject, next: KubeObject) => KubeObject

/** Parts through which some fields of an object are written and all others stay as they are. */
export const narrowedTo = (
  { plural }: Resource,
  subresource: string | undefined,
): Narrowed | undefined => narrowed[`${plural}/${subresource}`]

const narrowed: Readonly<Record<string, Narrowed>> = {
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
      conditions: dig.list(next, 'status.conditions').map(dated),
    },
  }),
}

/** Containers keep all but what they may use; none comes and none goes. */
function resized(
  old: KubeObject,
  next: KubeObject,
  field: 'containers' | 'initContainers',
): JsonMap {
  const asked = new Map(
    dig.list(next, `spec.${field}`).map((each) => [dig.text(each, 'name'), each]),
  )
  const containers = dig.list(old, `spec.${field}`).map((each): Json => {
    const wanted = asked.get(dig.text(each, 'name'))
    if (!isMap(each) || !isMap(wanted)) return each
    const { resources: _resources, resizePolicy: _policy, ...kept } = each
    const given = { resources: wanted.resources, resizePolicy: wanted.resizePolicy }
    return {
      ...kept,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    }
  })
  return containers.length > 0 ? { [field]: containers } : {}
}

function dated(condition: Json): Json {
  if (!isMap(condition)) return condition
  const now = clock.timestamp()
  return { lastUpdateTime: now, lastTransitionTime: now, ...condition }
}
