import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { nameSuffix } from '../../../objects/name-suffix.ts'
import { volumesOf } from '../../hotplug/volumes.ts'
import { ownedBy } from '../../owners.ts'
import { filled, read } from '../../../objects/read.ts'
import { computeContainer, graceSeconds } from './compute.ts'
import { consoleLog } from './console-log.ts'
import { diskContainers } from './container-disks.ts'
import { type LauncherContext } from './context.ts'
import { launcherUser } from './image.ts'
import { annotationsOf, hostnameOf, labelsOf } from './metadata.ts'
import { placementOf } from './placement.ts'
import { launcherVolumesOf } from './volumes.ts'

/** The launcher pod as virt-controller creates it; the API server adds defaults. */
export function launcherPodOf(vmi: KubeObject, context: LauncherContext): KubeObject {
  const generateName = `virt-launcher-${vmi.metadata.name}-`
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      // The API server cuts the prefix at 58 characters.
      name: `${generateName.slice(0, 58)}${nameSuffix()}`,
      generateName,
      namespace: vmi.metadata.namespace ?? '',
      labels: labelsOf(vmi),
      annotations: annotationsOf(vmi, context),
      ownerReferences: [ownedBy(vmi)],
    },
    spec: specOf(vmi, context),
  }
}

function specOf(vmi: KubeObject, context: LauncherContext): JsonMap {
  const { subdomain, dnsPolicy, dnsConfig, resourceClaims } = read.spec(vmi)
  const launcherVolumes = launcherVolumesOf(vmi, context)
  const initContainers = [...consoleLog(vmi, context), ...diskContainers(vmi, context)]
  return filled({
    containers: [computeContainer(vmi, context, launcherVolumes)],
    initContainers: initContainers.length > 0 ? initContainers : undefined,
    volumes: launcherVolumes.flatMap(({ volume }) => (volume === undefined ? [] : [volume])),
    ...placementOf(vmi, context),
    ...accountOf(vmi),
    hostname: hostnameOf(vmi),
    subdomain,
    dnsPolicy,
    dnsConfig,
    resourceClaims,
    imagePullSecrets: pullSecretsOf(vmi),
    securityContext: {
      runAsUser: launcherUser,
      runAsGroup: launcherUser,
      runAsNonRoot: true,
      fsGroup: launcherUser,
    },
    readinessGates: [{ conditionType: 'kubevirt.io/virtual-machine-unpaused' }],
    enableServiceLinks: false,
    restartPolicy: 'Never',
    // Extra time for the shutdown of the launcher.
    terminationGracePeriodSeconds: graceSeconds(vmi) + 15,
  })
}

/**
 * The service account of the pod. Its token is mounted only for a serviceAccount volume or a
 * service mesh.
 */
function accountOf(vmi: KubeObject): JsonMap {
  const mounted = volumesOf(vmi).map(({ serviceAccount }) =>
    read.text(read.at(serviceAccount, 'serviceAccountName')),
  )
  const ofVolume = mounted.find((name) => name !== '')
  const isMeshed = vmi.metadata.annotations?.['sidecar.istio.io/inject']?.toLowerCase() === 'true'
  return filled({
    serviceAccountName: read.text(read.spec(vmi).serviceAccountName) || ofVolume,
    automountServiceAccountToken: ofVolume !== undefined || isMeshed,
  })
}

function pullSecretsOf(vmi: KubeObject): JsonMap[] | undefined {
  const kernel = read.at(vmi.spec, 'domain', 'firmware', 'kernelBoot', 'container')
  const images = [...volumesOf(vmi).map(({ containerDisk }) => containerDisk), kernel]
  const names = new Set(
    images
      .map((image) => read.text(read.at(image, 'imagePullSecret')))
      .filter((name) => name !== ''),
  )
  return names.size > 0 ? [...names].map((name) => ({ name })) : undefined
}
