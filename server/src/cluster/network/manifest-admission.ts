import { checkedName, labels } from '../../engine/kube/refs.ts'
import { type WantedAdmission } from '../desired/admission.ts'
import { type Content, type ContentPlace } from '../../engine/kube/manifest.ts'

const ours = { matchLabels: { [labels.managedBy]: 'berth' } } as const

/**
 * KubeVirt copies what a VM says into its run and that into a pod, on which alone the plugins act:
 * so all three are looked at.
 */
const matchConstraints = {
  namespaceSelector: ours,
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

// What is there already has to be able to go, whatever is wrong with it.
const matchConditions = [
  { name: 'stays', expression: '!has(object.metadata.deletionTimestamp)' },
] as const

/**
 * How a VM or its run names networks, and what a pod has in the annotations that name its networks.
 */
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
 * Asked once for each namespace of Berth's. A VPC's is called after a random id, so nobody speaks
 * of it by accident, and wherever its name turns up it is meant: nothing has to be parsed that
 * plugins might parse differently.
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
 * Plugins read an annotation as JSON or as a list of names, as its signs tell; what is escaped
 * could say anything.
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
 * Fixed texts and ids: what a tenant writes is looked at by them and never becomes a part of them.
 */
export const admissionPolicyContent = (wanted: WantedAdmission): Content => ({
  spec: {
    failurePolicy: 'Fail',
    matchConstraints,
    matchConditions,
    variables,
    ...(wanted.refuses === 'foreignAttachments' ? foreign(wanted.sharedTenantId) : unknown),
  },
})

/** A policy and its binding have one name. */
export const admissionBindingContent = (
  { refuses }: WantedAdmission,
  { name }: ContentPlace,
): Content => ({
  spec: {
    policyName: name,
    validationActions: ['Deny'],
    ...(refuses === 'foreignAttachments'
      ? { paramRef: { selector: ours, parameterNotFoundAction: 'Deny' } }
      : {}),
  },
})
