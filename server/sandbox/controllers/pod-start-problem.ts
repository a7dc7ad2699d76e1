import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { type Client } from './client.ts'
import { requestedNetworksOf } from './nics/pod-networks.ts'
import { read } from '../objects/read.ts'
import { phaseOf } from '../objects/vms/phase.ts'

/** Why the kubelet cannot start a pod yet, as an event reports it. */
export interface StartProblem {
  reason: 'FailedMount' | 'FailedCreatePodSandBox'
  message: string
}

export function startProblemOf(client: Client, pod: KubeObject): StartProblem | null {
  for (const volume of read.maps(read.spec(pod).volumes)) {
    const message = mountProblem(client, pod, volume)
    if (message !== null) return { reason: 'FailedMount', message }
  }
  return networkProblem(client, pod)
}

function mountProblem(
  client: Client,
  { metadata: { namespace } }: KubeObject,
  volume: JsonMap,
): string | null {
  const claim = read.text(read.at(volume.persistentVolumeClaim, 'claimName'))
  const absent = absentSource(client, namespace, volume)
  if (absent !== null)
    return `MountVolume.SetUp failed for volume "${read.text(volume.name)}" : ${absent} not found`
  if (claim === '') return null
  const found = client.get('persistentvolumeclaims', namespace, claim)
  if (!found) return `persistentvolumeclaim "${claim}" not found`
  return phaseOf(found) === 'Bound' ? null : `persistentvolumeclaim "${claim}" is not bound yet`
}

function absentSource(
  client: Client,
  namespace: string | undefined,
  volume: JsonMap,
): string | null {
  const sources = [
    [
      'secret',
      'secrets',
      read.text(read.at(volume.secret, 'secretName')),
      read.at(volume.secret, 'optional'),
    ],
    [
      'configmap',
      'configmaps',
      read.text(read.at(volume.configMap, 'name')),
      read.at(volume.configMap, 'optional'),
    ],
  ] as const
  const absent = sources.find(
    ([, kind, name, optional]) =>
      name !== '' && optional !== true && !client.get(kind, namespace, name),
  )
  return absent ? `${absent[0]} "${absent[2]}"` : null
}

/** Multus looks up the requested networks when the pod sandbox is created. */
function networkProblem(client: Client, pod: KubeObject): StartProblem | null {
  const { namespace = '', name, uid } = pod.metadata
  for (const network of requestedNetworksOf(pod)) {
    const where = read.text(network.namespace) || namespace
    const networkName = read.text(network.name)
    if (client.get('network-attachment-definitions.k8s.cni.cncf.io', where, networkName)) continue
    const why = `network-attachment-definitions.k8s.cni.cncf.io "${networkName}" not found`
    const context = `error adding pod ${namespace}_${name} to CNI network "multus-cni-network": plugin type="multus-shim" name="multus-cni-network"`
    return {
      reason: 'FailedCreatePodSandBox',
      message: `Failed to create pod sandbox: ${context} failed (add): Multus: [${namespace}/${name}/${uid}]: error loading k8s delegates k8s args: failed to get network "${networkName}": ${why}`,
    }
  }
  return null
}
