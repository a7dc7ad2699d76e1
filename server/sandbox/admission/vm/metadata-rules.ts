import { type Cause } from '../../objects/cause.ts'
import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { cause } from '../refusals.ts'
import { type ClusterConfig } from '../../objects/vms/cluster-config.ts'
import { causesWhere } from './rules/rule.ts'

const reserved = [
  'created-by',
  'migrationJobUID',
  'nodeName',
  'migrationTargetNodeName',
  'schedulable',
  'install-strategy',
]
const ignition = 'kubevirt.io/ignitiondata'
const sidecars = 'hooks.kubevirt.io/hookSidecars'

/** The labels that only KubeVirt may set. */
export const reservedLabels = (labels: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(labels).filter(([key]) =>
      reserved.some((name) => key === `kubevirt.io/${name}`),
    ),
  )

interface MetadataReview {
  metadata: JsonMap
  at: string
  config: ClusterConfig
  isKubeVirts: boolean
}

/** Validates the labels and annotations of a VMI, or of the template in a VM. */
export function metadataCauses({ metadata, at, config, isKubeVirts }: MetadataReview): Cause[] {
  const annotations = read.map(metadata.annotations)
  const isReserved = Object.keys(reservedLabels(read.map(metadata.labels))).length > 0
  const prohibited =
    'creation of the following reserved kubevirt.io/ labels on a VMI object is prohibited'
  const ungated = (gate: string, name: string): Cause =>
    cause.wrong(
      `${at}.annotations`,
      `${gate} feature gate is not enabled in kubevirt-config, invalid entry ${at}.annotations.${name}`,
    )
  return causesWhere(
    [isReserved && !isKubeVirts, cause.unsupported(`${at}.labels`, prohibited)],
    [
      read.text(annotations[ignition]) !== '' &&
        !config.isGateEnabled('ExperimentalIgnitionSupport'),
      ungated('ExperimentalIgnitionSupport', ignition),
    ],
    [
      read.text(annotations[sidecars]) !== '' && !config.isGateEnabled('Sidecar'),
      ungated('sidecar', sidecars),
    ],
  )
}
