import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { read } from '../../objects/read.ts'
import { launcherOf, launchersOf } from '../vms/launcher/launchers.ts'
import { exactImages } from '../vms/launcher/container-disks.ts'
import { launcherContext } from '../vms/launcher/context.ts'
import { launcherPodOf } from '../vms/launcher/pod.ts'
import { migrationKeys } from '../../objects/migrations/names.ts'

/** The target pod of a migration. */
export const targetOf = (
  client: Client,
  vmi: KubeObject,
  { metadata: { uid } }: KubeObject,
): KubeObject | undefined =>
  launchersOf(client, vmi).find((pod) => pod.metadata.labels?.[migrationKeys.job] === uid)

/** A launcher pod like the source pod, with anti-affinity to the source node. */
export function targetPodOf(client: Client, vmi: KubeObject, migration: KubeObject): KubeObject {
  const source = launcherOf(client, vmi)
  const pod = launcherPodOf(
    vmi,
    launcherContext(client, vmi, source ? exactImages(vmi, source) : {}),
  )
  const spec = read.spec(pod)
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, [migrationKeys.job]: migration.metadata.uid ?? '' },
      annotations: {
        ...pod.metadata.annotations,
        'kubevirt.io/migrationJobName': migration.metadata.name,
      },
    },
    spec: {
      ...spec,
      nodeSelector: {
        ...read.map(read.spec(migration).addedNodeSelector),
        ...read.map(spec.nodeSelector),
      },
      affinity: apartFrom(vmi, read.map(spec.affinity)),
    },
  }
}

function apartFrom({ metadata: { uid = '' } }: KubeObject, affinity: JsonMap): JsonMap {
  const apart = read.map(affinity.podAntiAffinity)
  const required = read.maps(apart.requiredDuringSchedulingIgnoredDuringExecution)
  const term = {
    labelSelector: {
      matchExpressions: [{ key: 'kubevirt.io/created-by', operator: 'In', values: [uid] }],
    },
    topologyKey: 'kubernetes.io/hostname',
  }
  return {
    ...affinity,
    podAntiAffinity: {
      ...apart,
      requiredDuringSchedulingIgnoredDuringExecution: [...required, term],
    },
  }
}
