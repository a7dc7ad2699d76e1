import { type JsonMap } from '../objects/types.ts'
import { read } from '../objects/read.ts'

type Shape = 'sockets' | 'cores' | 'threads' | 'spread' | 'any'

/** The preferred CPU topology. The names with `prefer` are older aliases. */
export function topologyOf(preference: JsonMap | null): Shape {
  const preferred = read.text(read.at(preference?.cpu, 'preferredCPUTopology')) || 'sockets'
  // Admission checks the value when the preference is written.
  return preferred.replace(/^prefer/, '').toLowerCase() as Shape
}

/** How the topology `spread` divides vCPUs: the ratio, and the units that it relates. */
export interface Spread {
  ratio: number
  across: 'SocketsCores' | 'CoresThreads' | 'SocketsCoresThreads'
}

export function spreadOf(preference: JsonMap | null): Spread {
  const { ratio, across } = read.map(read.at(preference?.cpu, 'spreadOptions'))
  // Admission checks the value when the preference is written.
  const spreadAcross = (read.text(across) || 'SocketsCores') as Spread['across']
  return {
    ratio: Number(ratio ?? (preference?.preferSpreadSocketToCoreRatio || 2)),
    across: spreadAcross,
  }
}

interface Layout extends JsonMap {
  sockets: number
  cores: number
  threads: number
}

/** Returns the sockets, cores and threads of a VM with so many vCPUs, by its preference. */
export function layoutOf(vcpus: number, preference: JsonMap | null): Layout {
  const single = { sockets: 1, cores: 1, threads: 1 }
  const shape = topologyOf(preference)
  if (vcpus === 1) return single
  if (shape === 'spread') return { ...single, ...spreadLayout(vcpus, spreadOf(preference)) }
  return { ...single, [shape === 'any' ? 'sockets' : shape]: vcpus }
}

function spreadLayout(vcpus: number, { ratio, across }: Spread): Partial<Layout> {
  if (across === 'SocketsCores') return { cores: ratio, sockets: Math.floor(vcpus / ratio) }
  if (across === 'CoresThreads') return { threads: ratio, cores: Math.floor(vcpus / ratio) }
  return { threads: 2, cores: ratio, sockets: Math.floor(vcpus / 2 / ratio) }
}

/**
 * Returns why the CPUs cannot be spread by the preferred ratio; null when they can, or the topology
 * is not `spread`.
 */
export function spreadConflict(instancetype: JsonMap, preference: JsonMap | null): string | null {
  if (topologyOf(preference) !== 'spread') return null
  const vcpus = Number(read.at(instancetype, 'cpu', 'guest') ?? 0)
  const { ratio, across } = spreadOf(preference)
  const provided = `${vcpus} vCPUs provided by the instance type are not divisible by the`
  const ratioFields = `Spec.PreferSpreadSocketToCoreRatio or Spec.CPU.PreferSpreadOptions.Ratio of ${ratio}`
  if (across === 'SocketsCores')
    return vcpus % ratio > 0 ? `${provided} ${ratioFields} provided by the preference` : null
  if (across === 'CoresThreads')
    return vcpus % ratio > 0 ? `${provided} number of threads per core ${ratio}` : null
  return vcpus % 2 > 0 || (vcpus / 2) % ratio > 0
    ? `${provided} number of threads per core 2 and ${ratioFields}`
    : null
}
