import { type Schema } from '../objects/resource.ts'
import {
  atomic,
  atomicList,
  atomicTexts,
  each,
  int32,
  int64,
  intOrText,
  list,
  nullable,
  object,
  quantities,
  structOf,
  text,
  textMap,
  time,
  withDefault,
} from '../objects/schema.ts'

/* Schemas that kinds of several API groups share. */

const requirement = object(
  { ...each(text, 'key', 'operator'), values: atomicTexts },
  'key',
  'operator',
)

export const labelSelector = atomic(
  object({ matchLabels: textMap, matchExpressions: atomicList(requirement) }),
)

/** Names an object in the same namespace. */
export const localReference = atomic(object({ name: withDefault('', text) }))

export const typedReference = atomic(
  object({ ...each(text, 'apiGroup', 'kind', 'name') }, 'kind', 'name'),
)

export const objectReference = atomic(
  structOf(text, 'apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'),
)

export const resources = object({ limits: quantities, requests: quantities })

/** The condition type of the `kubevirt.io` groups. */
export const condition = object(
  {
    ...each(text, 'type', 'status', 'reason', 'message'),
    ...each(nullable(time), 'lastProbeTime', 'lastTransitionTime'),
  },
  'type',
  'status',
)

const nodeTerm = atomic(
  object({ matchExpressions: atomicList(requirement), matchFields: atomicList(requirement) }),
)

const podTerm = object(
  {
    labelSelector,
    namespaceSelector: labelSelector,
    ...each(atomicTexts, 'matchLabelKeys', 'mismatchLabelKeys', 'namespaces'),
    topologyKey: text,
  },
  'topologyKey',
)

const preferring = (name: string, term: Schema): Schema =>
  atomicList(object({ [name]: term, weight: int32 }, name, 'weight'))

const podAffinity = object({
  preferredDuringSchedulingIgnoredDuringExecution: preferring('podAffinityTerm', podTerm),
  requiredDuringSchedulingIgnoredDuringExecution: atomicList(podTerm),
})

export const affinity = object({
  nodeAffinity: object({
    preferredDuringSchedulingIgnoredDuringExecution: preferring('preference', nodeTerm),
    requiredDuringSchedulingIgnoredDuringExecution: atomic(
      object({ nodeSelectorTerms: atomicList(nodeTerm) }, 'nodeSelectorTerms'),
    ),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
})

export const tolerations = list(
  object({ ...each(text, 'effect', 'key', 'operator', 'value'), tolerationSeconds: int64 }),
)

export const spreadConstraint = object(
  {
    labelSelector,
    matchLabelKeys: atomicTexts,
    ...each(int32, 'maxSkew', 'minDomains'),
    ...each(text, 'nodeAffinityPolicy', 'nodeTaintsPolicy', 'topologyKey', 'whenUnsatisfiable'),
  },
  'maxSkew',
  'topologyKey',
  'whenUnsatisfiable',
)

export const httpGet = object(
  {
    ...each(text, 'host', 'path', 'scheme'),
    httpHeaders: atomicList(object(each(text, 'name', 'value'), 'name', 'value')),
    port: intOrText,
  },
  'port',
)

export const tcpSocket = object({ host: text, port: intOrText }, 'port')
