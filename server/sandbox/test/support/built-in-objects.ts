import { type Json, type JsonMap } from '../../objects/types.ts'

const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] }
const binding = {
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  subjects: [{ kind: 'User', name: 'u' }],
}
const matches = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ],
}

/** A valid object of each built-in kind with a schema, without its metadata. */
export const builtInObjects: Readonly<Record<string, JsonMap>> = {
  ClusterRole: { rules: [rule] },
  ClusterRoleBinding: binding,
  ConfigMap: { data: { a: '1' } },
  EndpointSlice: {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.1.1'] }],
    ports: [{ port: 80 }],
  },
  Lease: { spec: { holderIdentity: 'a', leaseDurationSeconds: 5 } },
  LimitRange: { spec: { limits: [{ type: 'Container', default: { cpu: '0.5' } }] } },
  Namespace: {},
  NetworkPolicy: {
    spec: {
      podSelector: {},
      ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 80 }] }],
      egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
    },
  },
  PersistentVolumeClaim: {
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'none',
      resources: { requests: { storage: '1024Mi' } },
    },
  },
  Pod: {
    spec: {
      nodeName: 'absent',
      containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }],
    },
  },
  ResourceQuota: { spec: { hard: { pods: 3, memory: '1024Mi' } } },
  Role: { rules: [rule] },
  RoleBinding: binding,
  Secret: { stringData: { a: 'x' } },
  Service: { spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } },
  ServiceAccount: { imagePullSecrets: [{ name: 'a' }] },
  StorageClass: { provisioner: 'x.y', parameters: { a: 'b' } },
  ValidatingAdmissionPolicy: {
    spec: { matchConstraints: matches, validations: [{ expression: 'true' }] },
  },
  ValidatingAdmissionPolicyBinding: { spec: { policyName: 'p', validationActions: ['Deny'] } },
}

/** The object with the value at a dotted path; a number in the path is an index of a list. */
export function withValue(from: JsonMap, path: string, value: Json): JsonMap {
  const copy = structuredClone(from)
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let node: Record<string, Json> = copy as Record<string, Json>
  for (const key of keys) {
    node[key] ??= {}
    // The cast holds because the paths of the tests lead through maps and lists.
    node = node[key] as Record<string, Json>
  }
  node[last] = value
  return copy
}
