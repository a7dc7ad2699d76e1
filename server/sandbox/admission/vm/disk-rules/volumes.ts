import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { numberOf } from '../../../quantity.ts'
import { cause } from '../../refusals.ts'
import { type ClusterConfig } from '../../../objects/vms/cluster-config.ts'
import { cloudInitCauses } from './cloud-init.ts'
import { pathCauses } from '../rules/paths.ts'
import { type Rule, causesWhere, parts } from '../rules/rule.ts'

const sources = [
  'persistentVolumeClaim',
  'sysprep',
  'cloudInitNoCloud',
  'cloudInitConfigDrive',
  'containerDisk',
  'ephemeral',
  'emptyDisk',
  'hostDisk',
  'dataVolume',
  'configMap',
  'secret',
  'downwardAPI',
  'serviceAccount',
  'downwardMetrics',
  'memoryDump',
  'containerPath',
]

/** Validates volumes in the spec of a VMI and in the template of a VM. */
export const volumes: Record<'sources' | 'containerDisks' | 'utility', Rule> = {
  sources(context) {
    const all = parts.volumes(context)
    const list = `${context.at}.volumes`
    const at = (index: number): string => `${list}[${index}]`
    return [
      ...all.flatMap((volume, index) => [
        ...sameNameCauses(all, { list, index }),
        ...sourceCauses(at(index), volume),
        ...cloudInitCauses(at(index), volume),
        ...contentCauses(at(index), volume, context.config),
      ]),
      ...onceCauses(list, all),
    ]
  },

  containerDisks: (context) =>
    parts.volumes(context).flatMap(({ containerDisk }, index) => {
      const path = read.text(read.at(containerDisk, 'path'))
      return path === '' ? [] : pathCauses(`${context.at}.volumes[${index}].containerDisk`, path)
    }),

  utility: ({ spec, at }) =>
    causesWhere([
      spec.utilityVolumes !== undefined,
      cause.wrong(
        `${at}.utilityVolumes`,
        'cannot create VMI with utility volumes in spec, utility volumes can only be added via hotplug',
      ),
    ]),
}

function sameNameCauses(
  all: readonly JsonMap[],
  { list, index }: { list: string; index: number },
): Cause[] {
  const first = all.findIndex(({ name }) => name === all[index]?.name)
  const message = `${list}[${index}] and ${list}[${first}] must not have the same Name.`
  return first === index ? [] : [cause.wrong(`${list}[${index}].name`, message)]
}

const sourceCauses = (at: string, volume: JsonMap): Cause[] =>
  causesWhere(
    [
      volume.dataVolume !== undefined && read.text(read.at(volume.dataVolume, 'name')) === '',
      cause.required(`${at}.name`, "DataVolume 'name' must be set"),
    ],
    [
      sources.filter((source) => volume[source] !== undefined).length !== 1,
      cause.wrong(at, `${at} must have exactly one source type set`),
    ],
  )

const named = {
  configMap: 'name',
  secret: 'secretName',
  serviceAccount: 'serviceAccountName',
} as const

function contentCauses(at: string, volume: JsonMap, config: ClusterConfig): Cause[] {
  const nameless = Object.entries(named).filter(
    ([source, key]) =>
      volume[source] !== undefined && read.text(read.at(volume[source], key)) === '',
  )
  return [
    ...causesWhere([
      volume.downwardMetrics !== undefined && !config.isGateEnabled('DownwardMetrics'),
      cause.wrong(
        at,
        'downwardMetrics disks are not allowed: DownwardMetrics feature gate is not enabled.',
      ),
    ]),
    ...(volume.hostDisk === undefined ? [] : hostDiskCauses(at, read.map(volume.hostDisk), config)),
    ...nameless.map(([source, key]) =>
      cause.wrong(`${at}.${source}.${key}`, `${at}.${source}.${key} is a required field`),
    ),
  ]
}

function hostDiskCauses(
  at: string,
  { path, type, capacity }: JsonMap,
  config: ClusterConfig,
): Cause[] {
  const field = `${at}.hostDisk`
  return causesWhere(
    [!config.isGateEnabled('HostDisk'), cause.wrong(at, 'HostDisk feature gate is not enabled')],
    [
      read.text(path) === '',
      cause.absent(`${field}.path`, `${field}.path is required for hostDisk volume`),
    ],
    [
      type !== 'Disk' && type !== 'DiskOrCreate',
      cause.wrong(
        `${field}.type`,
        `${field}.type has invalid value '${read.text(type)}', allowed are 'Disk' or 'DiskOrCreate'`,
      ),
    ],
    [
      type === 'Disk' && (numberOf(capacity) ?? 0) !== 0,
      cause.wrong(
        `${field}.capacity`,
        `${field}.capacity is allowed to pass only with ${field}.type equal to 'DiskOrCreate'`,
      ),
    ],
  )
}

const once = {
  serviceAccount: 'serviceAccount',
  downwardMetrics: 'downwardMetric',
  memoryDump: 'memory dump',
} as const

const onceCauses = (list: string, all: readonly JsonMap[]): Cause[] =>
  Object.entries(once)
    .filter(([source]) => all.filter((volume) => volume[source] !== undefined).length > 1)
    .map(([, name]) => cause.wrong(list, `${list} must have max one ${name} volume set`))
