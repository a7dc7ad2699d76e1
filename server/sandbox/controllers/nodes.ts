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
  for (const name of names) {
    if (!desk.get('nodes', undefined, name)) desk.setStatus('nodes', desk.create('nodes', nodeNamed(name)), statusOf())
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

function statusOf(): JsonMap {
  const resources = { cpu, memory: `${memoryKi}Ki`, pods: '1100', 'devices.kubevirt.io/kvm': '1k' }
  const now = clock.timestamp()
  return {
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
