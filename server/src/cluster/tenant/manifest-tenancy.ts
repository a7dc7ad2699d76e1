import { type WantedLimits, type WantedQuota, type WantedSecret } from '../desired/desired.ts'
import { type Content, maybe } from '../../engine/kube/manifest.ts'

export const quotaContent = ({
  vms,
  pods,
  cpuMillis,
  memoryMi,
  volumes,
  storageGi,
  volumeSnapshots,
}: WantedQuota): Content => ({
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
  maybe(name, value === undefined ? undefined : `${value}${unit}`)

export const limitsContent = ({ requests: { cpuMillis, memoryMi } }: WantedLimits): Content => ({
  spec: {
    limits: [
      { type: 'Container', defaultRequest: { cpu: `${cpuMillis}m`, memory: `${memoryMi}Mi` } },
    ],
  },
})

/** Uses `data`, because a later apply cannot remove keys that were sent as `stringData`. */
export const secretContent = ({ values }: WantedSecret): Content => ({
  type: 'Opaque',
  data: Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      Buffer.from(value.reveal(), 'utf8').toString('base64'),
    ]),
  ),
})
