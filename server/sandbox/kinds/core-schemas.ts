import { type Schema } from '../objects/resource.ts'
import {
  anything,
  flag,
  pointer,
  int as count,
  list,
  listBy as mapBy,
  object,
  orNull,
  quantities,
  setOf,
  text,
  textMap as texts,
  written,
} from '../objects/schema.ts'

/*
 * Field tables of the kinds that are served without a CRD: which fields exist, and how their lists
 * merge under server-side apply. Lists without a list type are atomic.
 */

/** The schema of a kind whose fields have no table here. */
export const openSchema: Schema = {
  properties: { spec: anything, status: anything },
  'x-kubernetes-preserve-unknown-fields': true,
}

const metadata = object({
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: text,
  resourceVersion: text,
  generation: count,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: pointer(count),
  labels: texts,
  annotations: texts,
  ownerReferences: mapBy(
    ['uid'],
    object({
      apiVersion: written(text),
      kind: written(text),
      name: written(text),
      uid: written(text),
      controller: pointer(flag),
      blockOwnerDeletion: pointer(flag),
    }),
  ),
  finalizers: setOf(text),
  managedFields: list(anything),
})

export const withMeta = (schema: Schema): Schema => ({
  ...schema,
  type: 'object',
  properties: { apiVersion: text, kind: text, metadata, ...schema.properties },
})

const condition = object({
  type: text,
  status: text,
  reason: text,
  message: text,
  lastTransitionTime: text,
})
const selector: Schema = {
  ...object({
    matchLabels: texts,
    matchExpressions: list(
      object({ key: written(text), operator: written(text), values: list(text) }),
    ),
  }),
  'x-kubernetes-map-type': 'atomic',
}
const objectReference: Schema = {
  ...object({
    kind: text,
    namespace: text,
    name: text,
    uid: text,
    apiVersion: text,
    resourceVersion: text,
    fieldPath: text,
  }),
  'x-kubernetes-map-type': 'atomic',
}

const namespace = object({
  spec: written(object({ finalizers: list(text) })),
  status: written(object({ phase: text, conditions: mapBy(['type'], condition) })),
})

const secret = object({ data: texts, stringData: texts, type: text, immutable: pointer(flag) })

const configMap = object({ data: texts, binaryData: texts, immutable: pointer(flag) })

const serviceAccount = object({
  secrets: mapBy(
    ['name'],
    object({ name: text, namespace: text, kind: text, uid: text, apiVersion: text }),
  ),
  imagePullSecrets: list(object({ name: text })),
  automountServiceAccountToken: pointer(flag),
})

const resourceQuota = object({
  spec: written(
    object({
      hard: quantities,
      scopes: list(text),
      scopeSelector: object({
        matchExpressions: list(
          object({ scopeName: written(text), operator: written(text), values: list(text) }),
        ),
      }),
    }),
  ),
  status: written(object({ hard: quantities, used: quantities })),
})

const limitRange = object({
  spec: written(
    object({
      limits: orNull(
        list(
          object({
            type: written(text),
            max: quantities,
            min: quantities,
            default: quantities,
            defaultRequest: quantities,
            maxLimitRequestRatio: quantities,
          }),
        ),
      ),
    }),
  ),
})

const peer = object({
  podSelector: selector,
  namespaceSelector: selector,
  ipBlock: object({ cidr: written(text), except: list(text) }),
})
const policyPort = object({
  protocol: pointer(text),
  port: pointer({ 'x-kubernetes-int-or-string': true }),
  endPort: pointer(count),
})

const networkPolicy = object({
  spec: written(
    object({
      podSelector: written(selector),
      ingress: list(object({ from: list(peer), ports: list(policyPort) })),
      egress: list(object({ to: list(peer), ports: list(policyPort) })),
      policyTypes: list(text),
    }),
  ),
})

const role = object({
  rules: orNull(
    list(
      object({
        verbs: orNull(list(text)),
        apiGroups: list(text),
        resources: list(text),
        resourceNames: list(text),
        nonResourceURLs: list(text),
      }),
    ),
  ),
})

const clusterRole = object({
  ...role.properties,
  aggregationRule: object({ clusterRoleSelectors: list(selector) }),
})

const roleBinding = object({
  subjects: list(
    object({ kind: written(text), apiGroup: text, name: written(text), namespace: text }),
  ),
  roleRef: {
    ...object({ apiGroup: written(text), kind: written(text), name: written(text) }),
    'x-kubernetes-map-type': 'atomic',
    zero: 'written',
  },
})

const event = object({
  involvedObject: written(objectReference),
  reason: text,
  message: text,
  source: written(object({ component: text, host: text })),
  firstTimestamp: orNull(text),
  lastTimestamp: orNull(text),
  count,
  type: text,
  eventTime: orNull(text),
  series: object({ count, lastObservedTime: text }),
  action: text,
  related: objectReference,
  reportingComponent: written(text),
  reportingInstance: written(text),
})

const networkAttachmentDefinition = object({ spec: object({ config: text }) })

export const schemas = {
  namespace,
  secret,
  configMap,
  serviceAccount,
  resourceQuota,
  limitRange,
  networkPolicy,
  role,
  clusterRole,
  roleBinding,
  event,
  networkAttachmentDefinition,
} satisfies Record<string, Schema>
