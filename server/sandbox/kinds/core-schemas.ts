import { type Schema } from '../objects/resource.ts'
import {
  anything,
  flag,
  int as count,
  list,
  listBy as mapBy,
  object,
  quantities,
  setOf,
  text,
  textMap as texts,
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
  deletionGracePeriodSeconds: count,
  labels: texts,
  annotations: texts,
  ownerReferences: mapBy(
    ['uid'],
    object({
      apiVersion: text,
      kind: text,
      name: text,
      uid: text,
      controller: flag,
      blockOwnerDeletion: flag,
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
    matchExpressions: list(object({ key: text, operator: text, values: list(text) })),
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
  spec: object({ finalizers: list(text) }),
  status: object({ phase: text, conditions: mapBy(['type'], condition) }),
})

const secret = object({ data: texts, stringData: texts, type: text, immutable: flag })

const configMap = object({ data: texts, binaryData: texts, immutable: flag })

const serviceAccount = object({
  secrets: mapBy(
    ['name'],
    object({ name: text, namespace: text, kind: text, uid: text, apiVersion: text }),
  ),
  imagePullSecrets: list(object({ name: text })),
  automountServiceAccountToken: flag,
})

const resourceQuota = object({
  spec: object({
    hard: quantities,
    scopes: list(text),
    scopeSelector: object({
      matchExpressions: list(object({ scopeName: text, operator: text, values: list(text) })),
    }),
  }),
  status: object({ hard: quantities, used: quantities }),
})

const limitRange = object({
  spec: object({
    limits: list(
      object({
        type: text,
        max: quantities,
        min: quantities,
        default: quantities,
        defaultRequest: quantities,
        maxLimitRequestRatio: quantities,
      }),
    ),
  }),
})

const peer = object({
  podSelector: selector,
  namespaceSelector: selector,
  ipBlock: object({ cidr: text, except: list(text) }),
})
const policyPort = object({
  protocol: text,
  port: { 'x-kubernetes-int-or-string': true },
  endPort: count,
})

const networkPolicy = object({
  spec: object({
    podSelector: selector,
    ingress: list(object({ from: list(peer), ports: list(policyPort) })),
    egress: list(object({ to: list(peer), ports: list(policyPort) })),
    policyTypes: list(text),
  }),
})

const role = object({
  rules: list(
    object({
      verbs: list(text),
      apiGroups: list(text),
      resources: list(text),
      resourceNames: list(text),
      nonResourceURLs: list(text),
    }),
  ),
})

const clusterRole = object({
  ...role.properties,
  aggregationRule: object({ clusterRoleSelectors: list(selector) }),
})

const roleBinding = object({
  subjects: list(object({ kind: text, apiGroup: text, name: text, namespace: text })),
  roleRef: {
    ...object({ apiGroup: text, kind: text, name: text }),
    'x-kubernetes-map-type': 'atomic',
  },
})

const event = object({
  involvedObject: objectReference,
  reason: text,
  message: text,
  source: object({ component: text, host: text }),
  firstTimestamp: text,
  lastTimestamp: text,
  count,
  type: text,
  eventTime: text,
  series: object({ count, lastObservedTime: text }),
  action: text,
  related: objectReference,
  reportingComponent: text,
  reportingInstance: text,
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
