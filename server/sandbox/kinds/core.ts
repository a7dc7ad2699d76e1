import { admitClaim } from '../admission/storage/claims.ts'
import { type Resource } from '../objects/resource.ts'
import { configMapHooks, namespaceHooks, secretHooks } from './rules/core-rules.ts'
import { claimHooks } from './rules/claim-rules.ts'
import { limitRangeHooks } from './rules/limit-range-rules.ts'
import { quotaHooks } from './rules/quota-rules.ts'
import { eventsAlias } from './events.ts'
import { podHooks } from './rules/pod-rules.ts'
import { objects } from './core-objects.ts'
import { schemas } from './core-schemas.ts'
import { subresources } from './subresources.ts'
import { builtIn } from './row.ts'
import { serviceHooks, serviceSchema } from './rules/service-rules.ts'

const involved = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
].map((field) => `involvedObject.${field}`)

const podFields = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
]

/** The kinds of the core group. */
export const coreKinds: readonly Resource[] = [
  builtIn({
    plural: 'namespaces',
    kind: 'Namespace',
    namespaced: false,
    shortNames: ['ns'],
    status: true,
    subresources: [subresources.finalize],
    names: 'label',
    selectable: ['status.phase'],
    schema: schemas.namespace,
    hooks: namespaceHooks,
  }),
  builtIn({
    plural: 'pods',
    kind: 'Pod',
    returnsDeleted: true,
    schema: objects.pod,
    hooks: podHooks,
    shortNames: ['po'],
    categories: ['all'],
    status: true,
    subresources: subresources.ofPods,
    countsGenerations: true,
    selectable: [
      ...podFields,
      'status.phase',
      'status.podIP',
      'status.podIPs',
      'status.nominatedNodeName',
    ],
  }),
  builtIn({
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    returnsDeleted: true,
    shortNames: ['pvc'],
    status: true,
    schema: objects.claim,
    hooks: { ...claimHooks, admit: admitClaim },
  }),
  builtIn({
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    returnsDeleted: true,
    namespaced: false,
    shortNames: ['pv'],
    status: true,
    schema: objects.volume,
  }),
  builtIn({
    plural: 'nodes',
    kind: 'Node',
    namespaced: false,
    shortNames: ['no'],
    status: true,
    subresources: [subresources.proxyOf('Node')],
    selectable: ['spec.unschedulable'],
    schema: objects.node,
  }),
  builtIn({
    plural: 'services',
    kind: 'Service',
    returnsDeleted: true,
    shortNames: ['svc'],
    categories: ['all'],
    status: true,
    subresources: [subresources.proxyOf('Service')],
    names: 'label',
    schema: serviceSchema,
    hooks: serviceHooks,
  }),
  builtIn({ plural: 'endpoints', kind: 'Endpoints', singular: 'endpoints', shortNames: ['ep'] }),
  builtIn({
    plural: 'secrets',
    kind: 'Secret',
    selectable: ['type'],
    schema: schemas.secret,
    hooks: secretHooks,
  }),
  builtIn({
    plural: 'configmaps',
    kind: 'ConfigMap',
    shortNames: ['cm'],
    schema: schemas.configMap,
    hooks: configMapHooks,
  }),
  builtIn({
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    returnsDeleted: true,
    shortNames: ['sa'],
    subresources: [subresources.token],
    schema: schemas.serviceAccount,
  }),
  builtIn({
    plural: 'resourcequotas',
    kind: 'ResourceQuota',
    returnsDeleted: true,
    shortNames: ['quota'],
    status: true,
    schema: schemas.resourceQuota,
    hooks: quotaHooks,
  }),
  builtIn({
    plural: 'limitranges',
    kind: 'LimitRange',
    shortNames: ['limits'],
    schema: schemas.limitRange,
    hooks: limitRangeHooks,
  }),
  builtIn({
    plural: 'events',
    kind: 'Event',
    aliases: [eventsAlias],
    shortNames: ['ev'],
    schema: schemas.event,
    selectable: [...involved, 'reason', 'reportingComponent', 'source', 'type'],
  }),
]
