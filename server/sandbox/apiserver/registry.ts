import { type Resource, resourceName } from './resource.ts'
import { configMapHooks, namespaceHooks, secretHooks } from './kinds.ts'
import { schemas, withMeta } from './schemas.ts'

type Row = Pick<Resource, 'plural' | 'singular' | 'kind' | 'schema'> & Partial<Resource>

function builtIn(row: Row): Resource {
  return {
    group: '',
    version: 'v1',
    namespaced: true,
    shortNames: [],
    categories: [],
    custom: false,
    status: false,
    subresources: [],
    countsGenerations: false,
    names: 'subdomain',
    selectable: [],
    hooks: {},
    ...row,
    schema: withMeta(row.schema),
  }
}

const custom = (row: Row): Resource => builtIn({ custom: true, countsGenerations: true, ...row })

const rows: readonly Resource[] = [
  builtIn({
    plural: 'namespaces',
    singular: 'namespace',
    kind: 'Namespace',
    namespaced: false,
    shortNames: ['ns'],
    status: true,
    subresources: ['finalize'],
    names: 'label',
    selectable: ['status.phase'],
    schema: schemas.namespace,
    hooks: namespaceHooks,
  }),
  builtIn({ plural: 'secrets', singular: 'secret', kind: 'Secret', selectable: ['type'], schema: schemas.secret, hooks: secretHooks }),
  builtIn({
    plural: 'configmaps',
    singular: 'configmap',
    kind: 'ConfigMap',
    shortNames: ['cm'],
    schema: schemas.configMap,
    hooks: configMapHooks,
  }),
  builtIn({
    plural: 'serviceaccounts',
    singular: 'serviceaccount',
    kind: 'ServiceAccount',
    shortNames: ['sa'],
    schema: schemas.serviceAccount,
  }),
  builtIn({
    plural: 'resourcequotas',
    singular: 'resourcequota',
    kind: 'ResourceQuota',
    shortNames: ['quota'],
    status: true,
    schema: schemas.resourceQuota,
  }),
  builtIn({ plural: 'limitranges', singular: 'limitrange', kind: 'LimitRange', shortNames: ['limits'], schema: schemas.limitRange }),
  builtIn({
    plural: 'events',
    singular: 'event',
    kind: 'Event',
    shortNames: ['ev'],
    schema: schemas.event,
    selectable: [
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((field) => `involvedObject.${field}`),
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
  }),
  builtIn({
    group: 'networking.k8s.io',
    plural: 'networkpolicies',
    singular: 'networkpolicy',
    kind: 'NetworkPolicy',
    shortNames: ['netpol'],
    countsGenerations: true,
    schema: schemas.networkPolicy,
  }),
  builtIn({ group: 'rbac.authorization.k8s.io', plural: 'roles', singular: 'role', kind: 'Role', names: 'path', schema: schemas.role }),
  builtIn({
    group: 'rbac.authorization.k8s.io',
    plural: 'rolebindings',
    singular: 'rolebinding',
    kind: 'RoleBinding',
    names: 'path',
    schema: schemas.roleBinding,
  }),
  custom({
    group: 'k8s.cni.cncf.io',
    plural: 'network-attachment-definitions',
    singular: 'network-attachment-definition',
    kind: 'NetworkAttachmentDefinition',
    shortNames: ['net-attach-def'],
    schema: schemas.networkAttachmentDefinition,
  }),
]

const byPath = new Map(rows.map((row) => [`${row.group}/${row.version}/${row.plural}`, row]))

export const registry = {
  all: rows,
  find: (group: string, version: string, plural: string): Resource | undefined => byPath.get(`${group}/${version}/${plural}`),
  named: (name: string): Resource => {
    const row = rows.find((each) => resourceName(each) === name)
    if (!row) throw new TypeError(`no such resource: ${name}`)
    return row
  },
}
