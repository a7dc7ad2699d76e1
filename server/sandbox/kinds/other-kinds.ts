import { type Resource } from '../objects/resource.ts'
import { priorityClassHooks } from './rules/other-rules.ts'
import { subresources } from './subresources.ts'
import { builtIn, custom } from './row.ts'

const stored = (group: string, kind: string, more: Partial<Resource> = {}): Resource =>
  builtIn({ group, kind, plural: `${kind.toLowerCase()}s`, ...more })

const everywhere = { namespaced: false } as const
const workload = { categories: ['all'], status: true, countsGenerations: true } as const
const scaled = { ...workload, subresources: [subresources.scale] } as const
/** The storage and resource kinds answer a DELETE with the object. */
const returned = { returnsDeleted: true } as const
const conditional = { updates: 'conditional' } as const
const webhooks = {
  ...everywhere,
  ...conditional,
  categories: ['api-extensions'],
  countsGenerations: true,
} as const
const withIes = (kind: string): { plural: string; singular: string } => ({
  plural: `${kind.toLowerCase().slice(0, -1)}ies`,
  singular: kind.toLowerCase(),
})
const withEs = (kind: string): { plural: string; singular: string } => ({
  plural: `${kind.toLowerCase()}es`,
  singular: kind.toLowerCase(),
})

/**
 * Built-in kinds that the sandbox stores and serves but does not act upon. A real API server
 * without the controllers of the kind behaves the same.
 */
export const otherBuiltInKinds: readonly Resource[] = [
  stored('', 'PodTemplate', { ...returned, countsGenerations: true }),
  stored('', 'ReplicationController', { ...scaled, shortNames: ['rc'] }),
  stored('apiregistration.k8s.io', 'APIService', {
    ...everywhere,
    categories: ['api-extensions'],
    status: true,
  }),
  stored('apps', 'DaemonSet', { ...workload, shortNames: ['ds'] }),
  stored('apps', 'Deployment', { ...scaled, shortNames: ['deploy'] }),
  stored('apps', 'ReplicaSet', { ...scaled, shortNames: ['rs'] }),
  stored('apps', 'StatefulSet', { ...scaled, shortNames: ['sts'] }),
  stored('autoscaling', 'HorizontalPodAutoscaler', {
    version: 'v2',
    aliases: [{ version: 'v1' }],
    categories: ['all'],
    shortNames: ['hpa'],
    status: true,
  }),
  stored('batch', 'CronJob', { ...workload, shortNames: ['cj'] }),
  stored('batch', 'Job', workload),
  stored('certificates.k8s.io', 'CertificateSigningRequest', {
    ...everywhere,
    shortNames: ['csr'],
    status: true,
    subresources: [subresources.approval],
  }),
  stored('networking.k8s.io', 'IngressClass', {
    ...everywhere,
    ...withEs('IngressClass'),
    countsGenerations: true,
  }),
  stored('networking.k8s.io', 'Ingress', {
    ...withEs('Ingress'),
    shortNames: ['ing'],
    status: true,
    countsGenerations: true,
  }),
  stored('networking.k8s.io', 'IPAddress', {
    ...everywhere,
    ...withEs('IPAddress'),
    shortNames: ['ip'],
  }),
  stored('networking.k8s.io', 'ServiceCIDR', { ...everywhere, status: true }),
  stored('policy', 'PodDisruptionBudget', {
    ...conditional,
    shortNames: ['pdb'],
    status: true,
    countsGenerations: true,
  }),
  stored('storage.k8s.io', 'CSINode', { ...returned, ...everywhere, ...conditional }),
  stored('storage.k8s.io', 'CSIStorageCapacity', {
    ...withIes('CSIStorageCapacity'),
    ...conditional,
  }),
  stored('storage.k8s.io', 'VolumeAttachment', {
    ...returned,
    ...everywhere,
    ...conditional,
    status: true,
  }),
  stored('storage.k8s.io', 'VolumeAttributesClass', {
    ...returned,
    ...everywhere,
    ...withEs('VolumeAttributesClass'),
    shortNames: ['vac'],
  }),
  stored('admissionregistration.k8s.io', 'MutatingAdmissionPolicy', {
    ...webhooks,
    ...withIes('MutatingAdmissionPolicy'),
  }),
  stored('admissionregistration.k8s.io', 'MutatingAdmissionPolicyBinding', webhooks),
  stored('admissionregistration.k8s.io', 'MutatingWebhookConfiguration', webhooks),
  stored('admissionregistration.k8s.io', 'ValidatingWebhookConfiguration', webhooks),
  stored('scheduling.k8s.io', 'PriorityClass', {
    ...everywhere,
    ...withEs('PriorityClass'),
    shortNames: ['pc'],
    countsGenerations: true,
    hooks: priorityClassHooks,
  }),
  stored('node.k8s.io', 'RuntimeClass', {
    ...everywhere,
    ...conditional,
    ...withEs('RuntimeClass'),
  }),
  stored('resource.k8s.io', 'DeviceClass', {
    ...returned,
    ...everywhere,
    ...withEs('DeviceClass'),
    countsGenerations: true,
  }),
  stored('resource.k8s.io', 'ResourceClaim', { ...returned, status: true }),
  stored('resource.k8s.io', 'ResourceClaimTemplate', returned),
  stored('resource.k8s.io', 'ResourceSlice', {
    ...returned,
    ...everywhere,
    countsGenerations: true,
  }),
  stored('flowcontrol.apiserver.k8s.io', 'FlowSchema', {
    ...everywhere,
    status: true,
    countsGenerations: true,
  }),
  stored('flowcontrol.apiserver.k8s.io', 'PriorityLevelConfiguration', {
    ...everywhere,
    status: true,
    countsGenerations: true,
  }),
]

const installed = (group: string, kind: string, more: Partial<Resource> = {}): Resource =>
  custom({ group, kind, plural: `${kind.toLowerCase()}s`, ...more })

const scalable = { status: true, subresources: [subresources.scale] } as const
const ofAll = { categories: ['all'] } as const
const groupSnapshots = {
  version: 'v1',
  aliases: [{ version: 'v1beta2' }, { version: 'v1beta1' }],
} as const

/** Kinds of installed components that the sandbox stores and serves but does not act upon. */
export const otherCustomKinds: readonly Resource[] = [
  installed('backup.kubevirt.io', 'VirtualMachineBackup', {
    ...ofAll,
    version: 'v1alpha1',
    shortNames: ['vmbackup', 'vmbackups'],
    status: true,
  }),
  installed('backup.kubevirt.io', 'VirtualMachineBackupTracker', {
    ...ofAll,
    version: 'v1alpha1',
    status: true,
    shortNames: ['vmbackuptracker', 'vmbackuptrackers'],
  }),
  installed('forklift.cdi.kubevirt.io', 'OpenstackVolumePopulator', {
    version: 'v1beta1',
    shortNames: ['osvp', 'osvps'],
  }),
  installed('forklift.cdi.kubevirt.io', 'OvirtVolumePopulator', {
    version: 'v1beta1',
    shortNames: ['ovvp', 'ovvps'],
  }),
  installed('groupsnapshot.storage.k8s.io', 'VolumeGroupSnapshotClass', {
    ...everywhere,
    ...groupSnapshots,
    ...withEs('VolumeGroupSnapshotClass'),
    shortNames: ['vgsclass', 'vgsclasses'],
  }),
  installed('groupsnapshot.storage.k8s.io', 'VolumeGroupSnapshotContent', {
    ...everywhere,
    ...groupSnapshots,
    shortNames: ['vgsc', 'vgscs'],
    status: true,
  }),
  installed('groupsnapshot.storage.k8s.io', 'VolumeGroupSnapshot', {
    ...groupSnapshots,
    shortNames: ['vgs'],
    status: true,
  }),
  installed('migrations.kubevirt.io', 'MigrationPolicy', {
    ...everywhere,
    ...withIes('MigrationPolicy'),
    version: 'v1alpha1',
    status: true,
  }),
  installed('plugin.kubevirt.io', 'Plugin', { ...everywhere, version: 'v1alpha1' }),
  installed('pool.kubevirt.io', 'VirtualMachinePool', {
    ...ofAll,
    version: 'v1beta1',
    aliases: [{ version: 'v1alpha1' }],
    shortNames: ['vmpool', 'vmpools'],
    ...scalable,
  }),
]
