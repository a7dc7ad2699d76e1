import { nameSuffix } from '../../objects/name-suffix.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { ownedBy } from '../owners.ts'
import { read } from '../../objects/read.ts'
import { launcherImage } from '../vms/launcher/image.ts'
import { claimNameOf } from './volume-source.ts'

export const attachmentLabel = 'hotplug-disk'
const prefix = 'hp-volume-'
const folder = 'hotplug-disks'

// The attachment pod counts against the quota of the namespace.
const resources = { requests: { cpu: '10m', memory: '2M' }, limits: { cpu: '100m', memory: '80M' } }

/**
 * The hotplug attachment pod: mounts the PVCs on the node of the launcher pod and does nothing
 * else.
 */
export function attachmentPodOf(
  vmi: KubeObject,
  launcher: KubeObject,
  volumes: readonly JsonMap[],
): KubeObject {
  const { name, namespace = '', uid = '' } = vmi.metadata
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${prefix}${nameSuffix()}`,
      generateName: prefix,
      namespace,
      labels: { 'kubevirt.io': attachmentLabel },
      annotations: { 'kubevirt.io/owner-vmi-name': name, 'kubevirt.io/owner-vmi-uid': uid },
      ownerReferences: [ownedBy(launcher)],
    },
    spec: {
      containers: [containerOf(volumes)],
      affinity: nextTo(launcher),
      tolerations: [{ operator: 'Exists' }],
      terminationGracePeriodSeconds: 0,
      volumes: [
        { name: folder, emptyDir: {} },
        ...volumes.map((volume) => ({
          name: volume.name,
          persistentVolumeClaim: { claimName: claimNameOf(volume) },
        })),
      ],
    },
  }
}

const containerOf = (volumes: readonly JsonMap[]): JsonMap => ({
  name: attachmentLabel,
  image: launcherImage,
  command: ['/bin/sh', '-c', '/usr/bin/container-disk --copy-path /path/hp'],
  resources,
  volumeMounts: [
    { name: folder, mountPath: '/path', mountPropagation: 'HostToContainer' },
    ...volumes.map(({ name }) => ({ name, mountPath: `/${read.text(name)}` })),
  ],
})

const nextTo = (launcher: KubeObject): JsonMap => {
  const onNode = {
    key: 'kubernetes.io/hostname',
    operator: 'In',
    values: [read.text(read.spec(launcher).nodeName)],
  }
  const required = { nodeSelectorTerms: [{ matchExpressions: [onNode] }] }
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } }
}
