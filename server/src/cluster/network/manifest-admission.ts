import { checkedName, labels } from '../../engine/kube/refs.ts'
import { type DesiredAdmission } from '../desired/admission.ts'
import { type Content, type ContentTarget } from '../../engine/kube/content/manifest.ts'

const managedByBerth = { matchLabels: { [labels.managedBy]: 'berth' } } as const

/**
 * KubeVirt copies networks from the VM to its VMI and from there to the pod. CNI plugins read only
 * the pod, so the policy checks all three.
 */
const matchConstraints = {
  namespaceSelector: managedByBerth,
  resourceRules: [
    {
      apiGroups: ['kubevirt.io'],
      apiVersions: ['*'],
      operations: ['CREATE', 'UPDATE'],
      resources: ['virtualmachines', 'virtualmachineinstances'],
    },
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['pods'] },
  ],
} as const

// An existing object must remain deletable, even when it violates the policy.
const matchConditions = [
  { name: 'stays', expression: '!has(object.metadata.deletionTimestamp)' },
] as const

/** The networks that a VM or VMI names, and the annotations of a pod that name its networks. */
const variables = [
  {
    name: 'spec',
    expression:
      "request.resource.resource == 'virtualmachines' ? object.spec.template.spec : object.spec",
  },
  {
    name: 'named',
    expression:
      'has(variables.spec.networks) ? variables.spec.networks.filter(n, has(n.multus)).map(n, n.multus.networkName) : []',
  },
  {
    name: 'annotations',
    expression:
      "request.resource.resource == 'pods' && has(object.metadata.annotations) ? object.metadata.annotations : {}",
  },
  {
    name: 'written',
    expression:
      "['k8s.v1.cni.cncf.io/networks', 'v1.multus-cni.io/default-network'].filter(k, k in variables.annotations).map(k, variables.annotations[k])",
  },
] as const

const madeByBerth = 'vpc-[0-9a-f-]{36}'

/**
 * The API server evaluates this once for each namespace of Berth. A VPC namespace has a random id
 * in its name, so every occurrence of the name refers to it. Nothing has to be parsed that plugins
 * might parse differently.
 */
const foreign = (sharedTenantId: string): Content => ({
  paramKind: { apiVersion: 'v1', kind: 'Namespace' },
  validations: [
    {
      expression: `!(variables.named + variables.written).exists(t, t.contains(params.metadata.name)) || params.metadata.labels['${labels.tenantId}'] in [namespaceObject.metadata.labels['${labels.tenantId}'], '${checkedName(sharedTenantId)}']`,
      messageExpression: "'a network in ' + params.metadata.name + ' belongs to another tenant'",
      reason: 'Forbidden',
    },
  ],
})

/**
 * Plugins read an annotation as JSON or as a list of names, depending on its characters. Text with
 * escapes is refused, because it could hide a name.
 */
const unknown: Content = {
  validations: [
    {
      expression: `variables.named.all(n, !n.contains('/') || n.matches('^${madeByBerth}/[^/]+$'))`,
      message: 'it names a network that is not of a VPC',
      reason: 'Forbidden',
    },
    {
      expression: [
        String.raw`variables.written.all(t, !t.contains('\\') && (t.matches(r'[\[{"]')`,
        String.raw`? t.findAll(r'(?i)"namespace"\s*:\s*"[^"]*"').all(pair, pair.endsWith('"' + request.namespace + '"') || pair.matches(r'"${madeByBerth}"$'))`,
        `: t.split(',').all(part, !part.contains('/') || part.trim().matches('^${madeByBerth}/'))))`,
      ].join(' '),
      message: 'its annotations name a network that is not of a VPC',
      reason: 'Forbidden',
    },
  ],
}

/**
 * Builds a ValidatingAdmissionPolicy that keeps VMs out of networks of other tenants. Its text has
 * fixed parts and ids only: the expressions check the input of tenants, which never becomes a part
 * of them.
 */
export const admissionPolicyContent = (desired: DesiredAdmission): Content => ({
  spec: {
    failurePolicy: 'Fail',
    matchConstraints,
    matchConditions,
    variables,
    ...(desired.refuses === 'foreignAttachments' ? foreign(desired.sharedTenantId) : unknown),
  },
})

/** A policy and its binding share one name. */
export const admissionBindingContent = (
  { refuses }: DesiredAdmission,
  { name }: ContentTarget,
): Content => ({
  spec: {
    policyName: name,
    validationActions: ['Deny'],
    ...(refuses === 'foreignAttachments'
      ? { paramRef: { selector: managedByBerth, parameterNotFoundAction: 'Deny' } }
      : {}),
  },
})
