import * as readers from './field-readers.ts'
import { type MessageTable } from './field-readers.ts'

const {
  bytes,
  flag,
  list,
  mapOf,
  message,
  number,
  optionalNumber,
  optionalText,
  present,
  quantity,
  text,
  texts,
  time,
} = readers

/**
 * Messages of the kinds that typed Go clients create in protobuf. kubectl does so since version
 * 1.32.
 */

const owner: MessageTable = {
  1: ['kind', text],
  3: ['name', text],
  4: ['uid', text],
  5: ['apiVersion', text],
  6: ['controller', flag],
  7: ['blockOwnerDeletion', flag],
}

const metadata = message({
  1: ['name', text],
  2: ['generateName', text],
  3: ['namespace', text],
  5: ['uid', text],
  6: ['resourceVersion', text],
  7: ['generation', number],
  8: ['creationTimestamp', time],
  9: ['deletionTimestamp', time],
  10: ['deletionGracePeriodSeconds', optionalNumber],
  11: ['labels', mapOf(optionalText)],
  12: ['annotations', mapOf(optionalText)],
  13: ['ownerReferences', list(message(owner))],
  14: ['finalizers', texts],
})

const kind = (fields: MessageTable): MessageTable => ({ 1: ['metadata', metadata], ...fields })

const rule = message({
  1: ['verbs', texts],
  2: ['apiGroups', texts],
  3: ['resources', texts],
  4: ['resourceNames', texts],
  5: ['nonResourceURLs', texts],
})
const rules = ['rules', list(rule)] as const
const subject = message({
  1: ['kind', text],
  2: ['apiGroup', text],
  3: ['name', text],
  4: ['namespace', text],
})
const binding = kind({
  2: ['subjects', list(subject)],
  3: ['roleRef', message({ 1: ['apiGroup', text], 2: ['kind', text], 3: ['name', text] })],
})
const selector = message({ 1: ['matchLabels', mapOf(optionalText)] })

const attributes: MessageTable = {
  1: [
    'resourceAttributes',
    present({
      1: ['namespace', text],
      2: ['verb', text],
      3: ['group', text],
      4: ['version', text],
      5: ['resource', text],
      6: ['subresource', text],
      7: ['name', text],
    }),
  ],
  2: ['nonResourceAttributes', present({ 1: ['path', text], 2: ['verb', text] })],
}
const subjectAccessReview = kind({
  2: [
    'spec',
    present({ ...attributes, 3: ['user', text], 4: ['groups', texts], 6: ['uid', text] }),
  ],
})

const port = message({
  1: ['name', text],
  2: ['protocol', text],
  3: ['port', number],
  4: ['targetPort', (value, before) => intOrText(value, before)],
  5: ['nodePort', number],
  6: ['appProtocol', optionalText],
})

const intOrText: typeof text = (value) => {
  const read = message({ 1: ['isText', number], 2: ['number', number], 3: ['text', text] })(
    value,
    undefined,
  )
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined
  return read.isText === 1 ? read.text : read.number
}

const service = kind({
  2: [
    'spec',
    message({
      1: ['ports', list(port)],
      2: ['selector', mapOf(optionalText)],
      3: ['clusterIP', text],
      4: ['type', text],
      5: ['externalIPs', texts],
      7: ['sessionAffinity', text],
      8: ['loadBalancerIP', text],
      10: ['externalName', text],
    }),
  ],
})

const role = kind({ 2: rules })

/** Message tables by apiVersion and kind. */
export const protobufKinds: Readonly<Record<string, MessageTable>> = {
  'v1/Namespace': kind({ 2: ['spec', message({ 1: ['finalizers', texts] })] }),
  'v1/ConfigMap': kind({
    2: ['data', mapOf(optionalText)],
    3: ['binaryData', mapOf(bytes)],
    4: ['immutable', flag],
  }),
  'v1/Secret': kind({
    2: ['data', mapOf(bytes)],
    3: ['type', text],
    4: ['stringData', mapOf(optionalText)],
    5: ['immutable', flag],
  }),
  'v1/ServiceAccount': kind({
    2: ['secrets', list(message({ 3: ['name', text] }))],
    3: ['imagePullSecrets', list(message({ 1: ['name', text] }))],
    4: ['automountServiceAccountToken', flag],
  }),
  'v1/ResourceQuota': kind({
    2: ['spec', message({ 1: ['hard', mapOf(quantity)], 2: ['scopes', texts] })],
  }),
  'v1/Service': service,
  'v1/DeleteOptions': {
    1: ['gracePeriodSeconds', optionalNumber],
    2: [
      'preconditions',
      message({ 1: ['uid', optionalText], 2: ['resourceVersion', optionalText] }),
    ],
    3: ['orphanDependents', flag],
    4: ['propagationPolicy', optionalText],
    5: ['dryRun', texts],
  },
  'rbac.authorization.k8s.io/v1/Role': role,
  'rbac.authorization.k8s.io/v1/RoleBinding': binding,
  'rbac.authorization.k8s.io/v1/ClusterRole': {
    ...role,
    3: ['aggregationRule', message({ 1: ['clusterRoleSelectors', list(selector)] })],
  },
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': binding,
  'authorization.k8s.io/v1/SelfSubjectAccessReview': kind({ 2: ['spec', present(attributes)] }),
  'authorization.k8s.io/v1/SelfSubjectRulesReview': kind({
    2: ['spec', present({ 1: ['namespace', text] })],
  }),
  'authorization.k8s.io/v1/SubjectAccessReview': subjectAccessReview,
  'authorization.k8s.io/v1/LocalSubjectAccessReview': subjectAccessReview,
}
