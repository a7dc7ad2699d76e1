import { type Cause } from '../../objects/cause.ts'
import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { numberOf } from '../../quantity.ts'
import { cause } from '../refusals.ts'
import { enlightenmentNeeds } from './instance-defaults.ts'
import { architectureCauses } from './rules/architectures.ts'
import { type Asked, type Rule, found, parts } from './rules/rule.ts'

/** What is asked of an instance and not yet of a VM: by now everything must be said. */
export const instanceCauses: Record<'mapped' | 'memory' | 'enlightenments' | 'architecture', Rule> =
  {
    mapped(asked) {
      const disks = new Set(parts.disks(asked).map(({ name }) => name))
      const filesystems = new Set(
        read.maps(parts.devices(asked).filesystems).map(({ name }) => name),
      )
      return parts.volumes(asked).flatMap((volume, index) => {
        if (volume.memoryDump !== undefined) return []
        const at = `${asked.at}.domain.volumes[${index}]`
        const [onDisk, onFilesystem] = [disks.has(volume.name), filesystems.has(volume.name)]
        return [
          ...found([
            !onDisk && !onFilesystem,
            cause.wrong(`${at}.name`, `${at}.name '${read.text(volume.name)}' not found.`),
          ]),
          ...(volume.containerPath === undefined
            ? []
            : pathCauses(at, volume, { onDisk, onFilesystem })),
        ]
      })
    },

    memory(asked) {
      const { guest, hugepages } = parts.memory(asked)
      if (
        (numberOf(parts.resource(asked, 'requests', 'memory')) ?? 0) !== 0 ||
        guest !== undefined ||
        hugepages !== undefined
      )
        return []
      const at = `${asked.at}.domain`
      const either = `'${at}.memory.guest', '${at}.memory.hugepages.pageSize' or '${at}.resources.requests.memory'`
      return [cause.required('', `no memory requested, at least one of ${either} must be set`)]
    },

    enlightenments: (asked) => [...needCauses(asked), ...modeCauses(asked)],

    architecture: architectureCauses,
  }

interface Mapping {
  onDisk: boolean
  onFilesystem: boolean
}

function pathCauses(
  at: string,
  { name, containerPath }: JsonMap,
  { onDisk, onFilesystem }: Mapping,
): Cause[] {
  const what = `ContainerPath volume '${read.text(name)}'`
  const path = read.text(read.at(containerPath, 'path'))
  const prefix = ['/var/run/kubevirt', '/var/run/libvirt'].find((each) => path.startsWith(each))
  return found(
    [onDisk, cause.wrong(at, `${what} must be mapped to a filesystem, not a disk`)],
    [
      !onFilesystem,
      cause.wrong(
        at,
        `${what} must have a matching filesystem defined in spec.domain.devices.filesystems`,
      ),
    ],
    [
      prefix !== undefined,
      cause.wrong(`${at}.containerPath.path`, `${what} uses reserved path prefix '${prefix}'`),
    ],
  )
}

/** The path of the features is named twice over, as KubeVirt has it. */
const hypervAt = (at: string): string => `${at}.domain.features.hyperv`

function needCauses(asked: Asked): Cause[] {
  const hyperv = read.at(parts.domain(asked), 'features', 'hyperv')
  if (hyperv === undefined) return []
  const isOn = (feature: string): boolean => read.at(hyperv, feature, 'enabled') === true
  const at = hypervAt(hypervAt(asked.at))
  const unmet = enlightenmentNeeds.filter(([feature, need]) => isOn(feature) && !isOn(need))
  return [
    ...unmet.map(([feature, need]) =>
      cause.wrong(
        `${at}.${feature}`,
        `'${at}.${feature}' requires '${at}.${need}', which was disabled.`,
      ),
    ),
    ...(isOn('evmcs') ? vmxCauses(read.maps(parts.cpu(asked).features)) : []),
  ]
}

function vmxCauses(features: readonly JsonMap[]): Cause[] {
  if (features.length === 0)
    return [
      cause.required('spec.domain.cpu.features', 'vmx cpu feature is required when evmcs is set'),
    ]
  return features.flatMap(({ name, policy }, index) => {
    const field = `spec.domain.cpu.features[${index}].policy`
    return found([
      name === 'vmx' && policy !== 'require',
      cause.wrong(field, 'vmx cpu feature has to be set to require policy'),
    ])
  })
}

function modeCauses(asked: Asked): Cause[] {
  const { hyperv, hypervPassthrough } = read.map(parts.domain(asked).features)
  const message =
    'Cannot explicitly set hyperV features if HypervPassthrough is being used. Please use either HyperV or HypervPassthrough.'
  return found([
    hyperv !== undefined && hypervPassthrough !== undefined,
    cause.wrong(hypervAt(asked.at), message),
  ])
}
