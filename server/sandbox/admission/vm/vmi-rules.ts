import { type Cause } from '../../objects/cause.ts'
import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { numberOf } from '../../quantity.ts'
import { cause } from '../refusals.ts'
import { enlightenmentNeeds } from './vmi-defaults.ts'
import { architectureCauses } from './rules/architectures.ts'
import { type RuleContext, type Rule, causesWhere, parts } from './rules/rule.ts'

/** Rules for a VMI that do not apply to a VM, because only a VMI has all defaults. */
export const vmiRules: Record<'mapped' | 'memory' | 'enlightenments' | 'architecture', Rule> = {
  mapped(context) {
    const disks = new Set(parts.disks(context).map(({ name }) => name))
    const filesystems = new Set(
      read.maps(parts.devices(context).filesystems).map(({ name }) => name),
    )
    return parts.volumes(context).flatMap((volume, index) => {
      if (volume.memoryDump !== undefined) return []
      const at = `${context.at}.domain.volumes[${index}]`
      const [onDisk, onFilesystem] = [disks.has(volume.name), filesystems.has(volume.name)]
      return [
        ...causesWhere([
          !onDisk && !onFilesystem,
          cause.wrong(`${at}.name`, `${at}.name '${read.text(volume.name)}' not found.`),
        ]),
        ...(volume.containerPath === undefined
          ? []
          : pathCauses(at, volume, { onDisk, onFilesystem })),
      ]
    })
  },

  memory(context) {
    const { guest, hugepages } = parts.memory(context)
    if (
      (numberOf(parts.resource(context, 'requests', 'memory')) ?? 0) !== 0 ||
      guest !== undefined ||
      hugepages !== undefined
    )
      return []
    const at = `${context.at}.domain`
    const either = `'${at}.memory.guest', '${at}.memory.hugepages.pageSize' or '${at}.resources.requests.memory'`
    return [cause.required('', `no memory requested, at least one of ${either} must be set`)]
  },

  enlightenments: (context) => [...needCauses(context), ...modeCauses(context)],

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
  return causesWhere(
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

/** The path of the features. KubeVirt applies this twice, so its messages repeat the path. */
const hypervAt = (at: string): string => `${at}.domain.features.hyperv`

function needCauses(context: RuleContext): Cause[] {
  const hyperv = read.at(parts.domain(context), 'features', 'hyperv')
  if (hyperv === undefined) return []
  const isOn = (feature: string): boolean => read.at(hyperv, feature, 'enabled') === true
  const at = hypervAt(hypervAt(context.at))
  const unmet = enlightenmentNeeds.filter(([feature, need]) => isOn(feature) && !isOn(need))
  return [
    ...unmet.map(([feature, need]) =>
      cause.wrong(
        `${at}.${feature}`,
        `'${at}.${feature}' requires '${at}.${need}', which was disabled.`,
      ),
    ),
    ...(isOn('evmcs') ? vmxCauses(read.maps(parts.cpu(context).features)) : []),
  ]
}

function vmxCauses(features: readonly JsonMap[]): Cause[] {
  if (features.length === 0)
    return [
      cause.required('spec.domain.cpu.features', 'vmx cpu feature is required when evmcs is set'),
    ]
  return features.flatMap(({ name, policy }, index) => {
    const field = `spec.domain.cpu.features[${index}].policy`
    return causesWhere([
      name === 'vmx' && policy !== 'require',
      cause.wrong(field, 'vmx cpu feature has to be set to require policy'),
    ])
  })
}

function modeCauses(context: RuleContext): Cause[] {
  const { hyperv, hypervPassthrough } = read.map(parts.domain(context).features)
  const message =
    'Cannot explicitly set hyperV features if HypervPassthrough is being used. Please use either HyperV or HypervPassthrough.'
  return causesWhere([
    hyperv !== undefined && hypervPassthrough !== undefined,
    cause.wrong(hypervAt(context.at), message),
  ])
}
