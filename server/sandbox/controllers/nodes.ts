import { createHash } from 'node:crypto'
import { totalmem } from 'node:os'
import { type JsonMap, type KubeObject } from '../apiserver/types.ts'
import { clock } from '../clock.ts'
import { type Desk } from './desk.ts'

const names = ['node-0', 'node-1', 'node-2']
const cpu = '32'
// Nothing but a description is held in it, so a small machine can still play a cluster.
const memoryKi = Math.max(64 * 2 ** 20, Math.floor(totalmem() / 1024))

/** The machines of the cluster, as they report themselves. */
export function furnishNodes(desk: Desk): void {
  for (const [index, name] of names.entries()) {
    if (!desk.get('nodes', undefined, name)) desk.setStatus('nodes', desk.create('nodes', nodeNamed(name)), statusOf(name, index))
  }
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
      // A zone each, so that what is said of zones can be seen.
      'topology.kubernetes.io/zone': name.replace('node-', 'z'),
    },
  },
  spec: {},
})

/** What the kubelet finds on its machine. */
const machineOf = (name: string): JsonMap => {
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

const uuidOf = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

function statusOf(name: string, index: number): JsonMap {
  const resources = { cpu, memory: `${memoryKi}Ki`, pods: '1100', 'devices.kubevirt.io/kvm': '1k' }
  const now = clock.timestamp()
  return {
    addresses: [
      { type: 'InternalIP', address: `192.0.2.${10 + index}` },
      { type: 'Hostname', address: name },
    ],
    nodeInfo: machineOf(name),
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
