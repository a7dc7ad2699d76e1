import { createHash } from 'node:crypto'
import { totalmem } from 'node:os'
import { type Json, type JsonMap, type KubeObject } from '../objects/types.ts'
import { clock } from '../clock.ts'
import { type Client } from './client.ts'
import { read } from '../objects/read.ts'

const names = ['node-0', 'node-1', 'node-2']
const cpu = '128'
// A guest needs no real memory, so a small machine can simulate a large cluster. The number of pods
// limits the number of guests.
const memoryKi = Math.max(512 * 2 ** 20, Math.floor(totalmem() / 1024))

/** Each device has the count that KubeVirt's device plugin offers. */
const devices = ['kvm', 'tun', 'vhost-net', 'vhost-vsock'].map(
  (name) => [`devices.kubevirt.io/${name}`, '1k'] as const,
)
const extras: JsonMap = { 'ephemeral-storage': '1Ti', ...Object.fromEntries(devices) }

const machineTypes = [
  'q35',
  ...['9.0.0', '9.2.0', '9.4.0', '9.6.0'].map((version) => `pc-q35-rhel${version}`),
]
const models = [
  'Nehalem',
  'Westmere',
  'SandyBridge',
  'IvyBridge',
  'Haswell',
  'Broadwell',
  'Skylake-Client',
  'Skylake-Server',
  'Cascadelake-Server',
]
const features = [
  'aes',
  'apic',
  'avx',
  'avx2',
  'fma',
  'invtsc',
  'pcid',
  'rdrand',
  'sse4.1',
  'sse4.2',
  'ssse3',
  'tsc-deadline',
  'vmx',
  'x2apic',
  'xsave',
]

const abilityLabels = [
  'cpumanager',
  ...machineTypes.map((type) => `machine-type.node.kubevirt.io/${type}`),
  ...models.map((model) => `cpu-model.node.kubevirt.io/${model}`),
  ...features.map((feature) => `cpu-feature.node.kubevirt.io/${feature}`),
]
/** The labels of KubeVirt's node-labeller, which select nodes for VMs. */
const abilities = Object.fromEntries(abilityLabels.map((label) => [label, 'true'] as const))

/** Creates the nodes of the cluster, as their kubelets would register them. */
export function seedNodes(client: Client): void {
  for (const [index, name] of names.entries()) {
    const found = client.get('nodes', undefined, name)
    if (found) updateNode(client, found)
    else client.setStatus('nodes', client.create('nodes', nodeNamed(name)), statusOf(name, index))
  }
}

/** Adds missing labels and devices to a node that an older version of the sandbox created. */
function updateNode(client: Client, node: KubeObject): void {
  const labels = { ...abilities, ...node.metadata.labels }
  const labelled = client.change('nodes', node, { ...node, metadata: { ...node.metadata, labels } })
  const { capacity, allocatable, ...status } = read.status(labelled)
  const withDevices = (known: Json | undefined): JsonMap => ({ ...extras, ...read.map(known) })
  client.setStatus('nodes', labelled, {
    ...status,
    capacity: withDevices(capacity),
    allocatable: withDevices(allocatable),
  })
}

const nodeNamed = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: {
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubevirt.io/schedulable': 'true',
      ...abilities,
      // Each node has a zone of its own, so that topology constraints have an effect.
      'topology.kubernetes.io/zone': name.replace('node-', 'z'),
    },
  },
  spec: {},
})

/** The system information that the kubelet reports. */
const nodeSystem = (name: string): JsonMap => {
  const id = createHash('sha256').update(name).digest('hex').slice(0, 32)
  return {
    architecture: 'amd64',
    bootID: uuidOf(id),
    containerRuntimeVersion: 'containerd://2.1.4',
    kernelVersion: '6.12.0-sandbox',
    kubeProxyVersion: '',
    kubeletVersion: 'v1.36.2',
    machineID: id,
    operatingSystem: 'linux',
    osImage: 'Berth sandbox',
    systemUUID: uuidOf(id),
  }
}

const uuidOf = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

function statusOf(name: string, index: number): JsonMap {
  const resources = { cpu, memory: `${memoryKi}Ki`, pods: '1100', ...extras }
  const now = clock.timestamp()
  return {
    addresses: [
      { type: 'InternalIP', address: `192.0.2.${10 + index}` },
      { type: 'Hostname', address: name },
    ],
    nodeInfo: nodeSystem(name),
    capacity: { ...resources },
    allocatable: { ...resources },
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'kubelet is posting ready status',
        lastHeartbeatTime: now,
        lastTransitionTime: now,
      },
    ],
  }
}
