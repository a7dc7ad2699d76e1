import { type Resource } from '../objects/resource.ts'
import * as admissionPolicies from './admission-policies.ts'
import { objects } from './core-objects.ts'
import { schemas } from './core-schemas.ts'
import { endpointSliceHooks, endpointSliceSchema } from './endpoint-slices.ts'
import { controllerRevisionHooks, leaseHooks, leaseSchema } from './rules/other-rules.ts'
import { networkPolicyHooks } from './rules/network-policy-rules.ts'
import { rbacHooks } from './rules/rbac-rules.ts'
import { builtIn, custom } from './row.ts'
import { storageClassHooks } from './rules/storage-class-rules.ts'

const rbac = { group: 'rbac.authorization.k8s.io', names: 'path' } as const
const storage = { group: 'storage.k8s.io', namespaced: false, returnsDeleted: true } as const
const admission = {
  group: 'admissionregistration.k8s.io',
  namespaced: false,
  countsGenerations: true,
  updates: 'conditional',
  categories: ['api-extensions'],
} as const

/** Kinds that a cluster operator manages, such as RBAC, network policies and storage classes. */
export const platformKinds: readonly Resource[] = [
  builtIn({
    group: 'apps',
    plural: 'controllerrevisions',
    kind: 'ControllerRevision',
    hooks: controllerRevisionHooks,
  }),
  builtIn({
    group: 'discovery.k8s.io',
    plural: 'endpointslices',
    kind: 'EndpointSlice',
    countsGenerations: true,
    countsLabels: true,
    schema: endpointSliceSchema,
    hooks: endpointSliceHooks,
  }),
  builtIn({
    group: 'coordination.k8s.io',
    plural: 'leases',
    kind: 'Lease',
    updates: 'conditional',
    schema: leaseSchema,
    hooks: leaseHooks,
  }),
  builtIn({
    group: 'networking.k8s.io',
    plural: 'networkpolicies',
    singular: 'networkpolicy',
    kind: 'NetworkPolicy',
    shortNames: ['netpol'],
    countsGenerations: true,
    countsEmpty: true,
    schema: schemas.networkPolicy,
    hooks: networkPolicyHooks,
  }),
  builtIn({ ...rbac, plural: 'roles', kind: 'Role', schema: schemas.role, hooks: rbacHooks.role }),
  builtIn({
    ...rbac,
    plural: 'rolebindings',
    kind: 'RoleBinding',
    schema: schemas.roleBinding,
    hooks: rbacHooks.binding,
  }),
  builtIn({
    ...rbac,
    plural: 'clusterroles',
    kind: 'ClusterRole',
    namespaced: false,
    schema: schemas.clusterRole,
    hooks: rbacHooks.clusterRole,
  }),
  builtIn({
    ...rbac,
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    namespaced: false,
    schema: schemas.roleBinding,
    hooks: rbacHooks.clusterBinding,
  }),
  builtIn({
    ...storage,
    plural: 'storageclasses',
    singular: 'storageclass',
    kind: 'StorageClass',
    shortNames: ['sc'],
    schema: objects.storageClass,
    hooks: storageClassHooks,
  }),
  builtIn({ ...storage, plural: 'csidrivers', kind: 'CSIDriver', updates: 'conditional' }),
  builtIn({
    ...admission,
    plural: 'validatingadmissionpolicies',
    singular: 'validatingadmissionpolicy',
    kind: 'ValidatingAdmissionPolicy',
    status: true,
    schema: admissionPolicies.policy,
    hooks: admissionPolicies.policyHooks,
  }),
  builtIn({
    ...admission,
    plural: 'validatingadmissionpolicybindings',
    kind: 'ValidatingAdmissionPolicyBinding',
    schema: admissionPolicies.binding,
    hooks: admissionPolicies.bindingHooks,
  }),
  builtIn({
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    namespaced: false,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    status: true,
    countsGenerations: true,
  }),
  custom({
    group: 'k8s.cni.cncf.io',
    plural: 'network-attachment-definitions',
    singular: 'network-attachment-definition',
    kind: 'NetworkAttachmentDefinition',
    shortNames: ['nad', 'net-attach-def'],
    schema: schemas.networkAttachmentDefinition,
  }),
]
