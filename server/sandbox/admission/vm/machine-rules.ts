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
import { found } from './rules/rule.ts'
import { specCauses } from './spec-rules.ts'

interface Machine {
  vm: KubeObject
  config: ClusterConfig
  isKubeVirts: boolean
}

/** Everything that is wrong with a VM that has its defaults. */
export function machineCauses({ vm, config, isKubeVirts }: Machine): Cause[] {
  const own = read.spec(vm)
  const { metadata, spec } = read.map(own.template)
  const asked = { spec: read.map(spec), at: 'spec.template.spec', config }
  return [
    ...metadataCauses({
      metadata: read.map(metadata),
      at: 'spec.template.metadata',
      config,
      isKubeVirts,
    }),
    ...specCauses(asked),
    ...dataVolumeCauses(own),
    ...powerCauses(own, config),
    ...(config.liveUpdates ? [...socketCauses(asked), ...maxGuestCauses(asked.spec)] : []),
  ]
}

const strategies = ['Halted', 'Manual', 'Always', 'RerunOnFailure', 'Once']

function powerCauses({ running, runStrategy }: JsonMap, config: ClusterConfig): Cause[] {
  const both =
    'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead'
  const strategy = read.text(runStrategy)
  const isReceiver = strategy === 'WaitAsReceiver'
  const gate = 'DecentralizedLiveMigration'
  return found(
    [running !== undefined && runStrategy !== undefined, cause.wrong('spec.running', both)],
    [
      running === undefined && runStrategy === undefined,
      cause.wrong('spec.running', 'RunStrategy must be specified'),
    ],
    [
      isReceiver && !config.isOn(gate),
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

/**
 * A limit that somebody names is meant; the one that an instance gets by itself may be left out.
 */
function maxGuestCauses(spec: JsonMap): Cause[] {
  const maxGuest = read.at(spec, 'domain', 'memory', 'maxGuest')
  const why = maxGuest === undefined ? null : whyNoMemoryHotplug(spec, maxGuest)
  return why === null ? [] : [cause.wrong('spec.template.spec.domain.memory.guest', why)]
}

/** What a VM brings along lives where the VM does. */
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
