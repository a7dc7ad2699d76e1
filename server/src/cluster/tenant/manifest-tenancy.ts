import { type DesiredLimits, type DesiredQuota, type DesiredSecret } from '../desired/desired.ts'
import { type Content, optionalField } from '../../engine/kube/content/manifest.ts'

/** Builds the ResourceQuota of a tenant's namespace. */
export const quotaContent = ({
  vms,
  pods,
  cpuMillis,
  memoryMi,
  volumes,
  storageGi,
  volumeSnapshots,
}: DesiredQuota): Content => ({
  spec: {
    hard: {
      ...count('count/virtualmachines.kubevirt.io', vms),
      ...count('pods', pods),
      ...count('requests.cpu', cpuMillis, 'm'),
      ...count('requests.memory', memoryMi, 'Mi'),
      ...count('persistentvolumeclaims', volumes),
      ...count('requests.storage', storageGi, 'Gi'),
      ...count('count/volumesnapshots.snapshot.storage.k8s.io', volumeSnapshots),
    },
  },
})

const count = (name: string, value: number | undefined, unit = ''): Record<string, string> =>
  optionalField(name, value === undefined ? undefined : `${value}${unit}`)

/**
 * Builds the LimitRange of a tenant's namespace. A quota refuses containers that request nothing,
 * so it gives them default requests.
 */
export const limitsContent = ({ requests: { cpuMillis, memoryMi } }: DesiredLimits): Content => ({
  spec: {
    limits: [
      { type: 'Container', defaultRequest: { cpu: `${cpuMillis}m`, memory: `${memoryMi}Mi` } },
    ],
  },
})

/**
 * Builds a Secret. Uses `data`, because a later apply cannot remove keys that were sent as
 * `stringData`.
 */
export const secretContent = ({ values }: DesiredSecret): Content => ({
  type: 'Opaque',
  data: Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      Buffer.from(value.reveal(), 'utf8').toString('base64'),
    ]),
  ),
})
