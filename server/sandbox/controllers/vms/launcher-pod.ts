import { nameSuffix } from '../../apiserver/name-suffix.ts'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { claimNameOf, isHotpluggable } from '../hotplug/volume-source.ts'
import { filled, read } from '../read.ts'
import { demandOf } from './launcher-demand.ts'
import { ownedBy } from '../owners.ts'

export const launcherImage = 'quay.io/kubevirt/virt-launcher:v1.9.0-rc.2'

/** The pod that a guest runs in. */
export function launcherPodOf(vmi: KubeObject): KubeObject {
  const { name, namespace = '', uid = '', labels = {} } = vmi.metadata
  const grace = Number(read.spec(vmi).terminationGracePeriodSeconds ?? 30)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `virt-launcher-${name}-${nameSuffix()}`,
      namespace,
      labels: {
        ...labels,
        'kubevirt.io': 'virt-launcher',
        'kubevirt.io/created-by': uid,
        'vm.kubevirt.io/name': name,
        'vmi.kubevirt.io/id': name,
      },
      annotations: { 'kubevirt.io/domain': name, ...networksOf(vmi) },
      ownerReferences: [ownedBy(vmi)],
    },
    spec: {
      containers: [{ name: 'compute', image: launcherImage, resources: demandOf(vmi) }],
      initContainers: [{ name: 'guest-console-log', image: launcherImage, restartPolicy: 'Always', resources: logResources }],
      restartPolicy: 'Never',
      ...placementOf(vmi),
      // Time to spare for the guest's own way down.
      terminationGracePeriodSeconds: grace + 30,
      volumes: podVolumes(vmi),
    },
  }
}

const logResources = { requests: { cpu: '5m', memory: '35M' }, limits: { cpu: '15m', memory: '60M' } }

/** Where the instance may run, on nodes that take machines at all. */
function placementOf(vmi: KubeObject): JsonMap {
  const { nodeSelector, affinity, tolerations } = read.spec(vmi)
  return filled({ nodeSelector: { 'kubevirt.io/schedulable': 'true', ...read.map(nodeSelector) }, affinity, tolerations })
}

/** Multus reads from the pod which networks it wants beside its own. */
function networksOf(vmi: KubeObject): Record<string, string> {
  const { namespace = '' } = vmi.metadata
  const wanted = read.maps(read.spec(vmi).networks).flatMap(({ multus }) => {
    const [name = '', where = namespace] = read.text(read.at(multus, 'networkName')).split('/').reverse()
    return name === '' ? [] : [{ name, namespace: where }]
  })
  const networks = wanted.map((each, index) => ({ ...each, interface: `pod${index}` }))
  return networks.length > 0 ? { 'k8s.v1.cni.cncf.io/networks': JSON.stringify(networks) } : {}
}

function podVolumes(vmi: KubeObject): JsonMap[] {
  // What can be plugged comes in a pod of its own.
  const brought = read.maps(read.spec(vmi).volumes).filter((volume) => !isHotpluggable(volume))
  return brought.flatMap((volume): JsonMap[] => {
    const name = read.text(volume.name)
    const claimName = claimNameOf(volume)
    if (claimName !== '') return [{ name, persistentVolumeClaim: { claimName } }]
    const image = read.text(read.at(volume.containerDisk, 'image'))
    if (image !== '') return [{ name, image: { reference: image } }]
    if (volume.configMap !== undefined) return [{ name, configMap: read.map(volume.configMap) }]
    if (volume.secret !== undefined) return [{ name, secret: read.map(volume.secret) }]
    return secretsIn(volume).map((secretName, index) => ({ name: `${name}-${index}`, secret: { secretName } }))
  })
}

const secretsIn = (volume: JsonMap): string[] => {
  const seed = read.map(volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive)
  return [seed.secretRef, seed.networkDataSecretRef].map((ref) => read.text(read.at(ref, 'name'))).filter((each) => each !== '')
}
