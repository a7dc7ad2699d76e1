import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../objects/cause.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { cause } from '../refusals.ts'
import { type ClusterConfig } from '../../objects/vms/cluster-config.ts'
import { dataVolumeCauses } from './data-volume-templates.ts'
import { whyNoMemoryHotplug } from './memory-hotplug.ts'
import { metadataCauses } from './metadata-rules.ts'
import { socketCauses } from './rules/cpu.ts'
import { causesWhere } from './rules/rule.ts'
import { specCauses } from './spec-rules.ts'

interface VmReview {
  vm: KubeObject
  config: ClusterConfig
  isKubeVirts: boolean
}

/** Validates a VM whose defaults are set. */
export function vmCauses({ vm, config, isKubeVirts }: VmReview): Cause[] {
  const own = read.spec(vm)
  const { metadata, spec } = read.map(own.template)
  const context = { spec: read.map(spec), at: 'spec.template.spec', config }
  return [
    ...metadataCauses({
      metadata: read.map(metadata),
      at: 'spec.template.metadata',
      config,
      isKubeVirts,
    }),
    ...specCauses(context),
    ...dataVolumeCauses(own),
    ...powerCauses(own, config),
    ...(config.liveUpdates ? [...socketCauses(context), ...maxGuestCauses(context.spec)] : []),
  ]
}

const strategies = ['Halted', 'Manual', 'Always', 'RerunOnFailure', 'Once']

function powerCauses({ running, runStrategy }: JsonMap, config: ClusterConfig): Cause[] {
  const both =
    'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead'
  const strategy = read.text(runStrategy)
  const isReceiver = strategy === 'WaitAsReceiver'
  const gate = 'DecentralizedLiveMigration'
  return causesWhere(
    [running !== undefined && runStrategy !== undefined, cause.wrong('spec.running', both)],
    [
      running === undefined && runStrategy === undefined,
      cause.wrong('spec.running', 'RunStrategy must be specified'),
    ],
    [
      isReceiver && !config.isGateEnabled(gate),
      cause.wrong(
        'spec.runStrategy',
        `Invalid RunStrategy (${strategy}), ${gate} feature gate is not enabled in kubevirt resource`,
      ),
    ],
    [
      runStrategy !== undefined && !isReceiver && !strategies.includes(strategy),
      cause.wrong('spec.runStrategy', `Invalid RunStrategy (${strategy})`),
    ],
  )
}

/** An explicit `maxGuest` must be possible. The default one of a VMI is omitted when it is not. */
function maxGuestCauses(spec: JsonMap): Cause[] {
  const maxGuest = read.at(spec, 'domain', 'memory', 'maxGuest')
  const why = maxGuest === undefined ? null : whyNoMemoryHotplug(spec, maxGuest)
  return why === null ? [] : [cause.wrong('spec.template.spec.domain.memory.guest', why)]
}

/** Data volume templates must be in the namespace of their VM. */
export function namespaceCauses(vm: KubeObject, old: KubeObject | null): Cause[] {
  const { dataVolumeTemplates } = read.spec(vm)
  if (old && isDeepStrictEqual(read.spec(old).dataVolumeTemplates, dataVolumeTemplates)) return []
  const { namespace = '' } = vm.metadata
  return read.maps(dataVolumeTemplates).flatMap(({ metadata }, index) => {
    const own = read.text(read.at(metadata, 'namespace'))
    const message = `Embedded DataVolume namespace ${own} differs from VM namespace ${namespace}`
    return own === '' || own === namespace
      ? []
      : [cause.wrong(`spec.dataVolumeTemplates[${index}]`, message)]
  })
}
