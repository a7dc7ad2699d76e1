import { listResponse } from '../../../engine/rest/list-response.ts'
import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf, orNull } from '../../../engine/rest/json-schema.ts'

const { flag, number, text, time, whole } = scalar

const storageAbility = new ResponseShape('StorageAbility', {
  available: flag,
  reason: orNull(text),
})

const ability = { schema: storageAbility.schema, selection: storageAbility.selection }

const storageClass = new ResponseShape('StorageClass', {
  name: text,
  is_default: flag,
  binding: {
    ...oneOf('immediate', 'first_use'),
    description: 'When storage is allocated.',
  },
  access_modes: list(text),
  expand: ability,
  snapshot: ability,
  live_migrate: ability,
  'snapshot_class?': text,
})

const hosts = new ResponseShape('HostCapacity', {
  total: whole,
  ready: whole,
  open: { ...whole, description: 'Nodes that are ready and accept new VMs.' },
  cores: { ...number, description: 'CPU cores of the nodes that accept new VMs.' },
  memory_mi: number,
  vcpus_per_core: number,
})

const allocated = new ResponseShape(
  { type: 'PromisedCapacity', name: 'AllocatedCapacity' },
  {
    vms: whole,
    vcpus: number,
    memory_mi: { ...number, description: 'Memory of the guests only.' },
  },
)

const capacity = new ResponseShape('ClusterCapacity', {
  hosts: { schema: orNull(hosts.schema), selection: hosts.selection },
  'gap?': {
    ...oneOf('not_permitted', 'not_told'),
    description: 'Why `hosts` is `null`.',
  },
  'as_of?': {
    ...time,
    description: 'When the nodes were last read, if they can no longer be read.',
  },
  allocated: { schema: allocated.schema, from: 'promised', selection: allocated.selection },
  warnings: list(oneOf('cpu_short', 'memory_short', 'no_open_host')),
})

const featureParts = { available: flag, reason: orNull(text) }

const clusterFeature = new ResponseShape('ClusterFeature', {
  name: {
    ...oneOf(
      'virtual_machines',
      'live_hotplug',
      'live_nics',
      'vm_snapshots',
      'vm_exports',
      'image_imports',
      'volume_snapshots',
      'extra_networks',
      'attachment_policies',
      'network_filters',
      'host_bridges',
      'guest_state',
    ),
    description: 'The feature.',
  },
  ...featureParts,
})

const networkDriver = new ResponseShape('NetworkDriverSupport', { name: text, ...featureParts })

const features = new ResponseShape('ClusterFeatures', {
  kubernetes_version: orNull(text),
  kubevirt_version: orNull(text),
  cdi_version: orNull(text),
  features: { schema: list(clusterFeature.schema), selection: clusterFeature.selection },
  network_drivers: { schema: list(networkDriver.schema), selection: networkDriver.selection },
})

export const clusterRoutes: RestRoute[] = [
  route<{ answer: object[] }>({
    method: 'GET',
    path: '/api/v1/storage-classes',
    summary: 'List the storage classes and the features that volumes have there',
    tag: 'Cluster',
    run: `query ListStorageClasses { answer: storageClasses { ${storageClass.selection} } }`,
    input: () => ({}),
    output: ({ answer }) => ({ storage_classes: storageClass.toWireAll(answer) }),
    status: 200,
    response: listResponse('StorageClass', 'storage_classes', storageClass.schema),
  }),
  route<{ answer: object }>({
    method: 'GET',
    path: '/api/v1/cluster-capacity',
    summary: 'Get the capacity of the cluster, and how much of it is allocated',
    tag: 'Cluster',
    run: `query GetClusterCapacity { answer: clusterCapacity { ${capacity.selection} } }`,
    input: () => ({}),
    output: ({ answer }) => ({ capacity: capacity.toWire(answer) }),
    status: 200,
    response: object({ capacity: capacity.schema }),
  }),
  route<{ answer: object }>({
    method: 'GET',
    path: '/api/v1/cluster-features',
    summary: 'List the features that the cluster offers, and what it lacks for the rest',
    tag: 'Cluster',
    run: `query ListClusterFeatures { answer: clusterFeatures { ${features.selection} } }`,
    input: () => ({}),
    output: ({ answer }) => ({ cluster: features.toWire(answer) }),
    status: 200,
    response: object({ cluster: features.schema }),
  }),
  route<{ answer: string[] }>({
    method: 'GET',
    path: '/api/v1/cluster-problems',
    summary: 'List what the cluster lacks: components and rights of the account of Berth',
    tag: 'Cluster',
    run: 'query ListClusterProblems { answer: clusterProblems }',
    input: () => ({}),
    output: ({ answer }) => ({ problems: answer }),
    status: 200,
    response: object({
      problems: {
        ...list(text),
        description: 'The missing components and rights, each as a sentence.',
      },
    }),
  }),
]
