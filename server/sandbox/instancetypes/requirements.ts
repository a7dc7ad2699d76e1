import { type Json, type JsonMap } from '../objects/types.ts'
import { read } from '../objects/read.ts'
import { canonical, numberOf } from '../quantity.ts'
import { type Matched } from './apply.ts'
import { topologyOf, spreadOf } from './topology.ts'

/** A requirement that is not met, with the field of the VM. */
export interface Shortfall {
  message: string
  field: string
}

/**
 * The first requirement of the preference that the VMI with its defaults does not meet; null when
 * it meets all.
 */
export function shortfallOf(matched: Matched, spec: JsonMap): Shortfall | null {
  const requires = read.map(matched.preference?.requirements)
  return (
    cpuShortfall(matched, spec, requires.cpu) ??
    memoryShortfall(matched, spec, requires.memory) ??
    archShortfall(spec, requires)
  )
}

const countsFor = {
  sockets: ['sockets'],
  cores: ['cores'],
  threads: ['threads'],
  any: ['cores', 'sockets', 'threads'],
  SocketsCores: ['sockets', 'cores'],
  CoresThreads: ['cores', 'threads'],
  SocketsCoresThreads: ['sockets', 'cores', 'threads'],
} as const

function cpuShortfall(
  { instancetype, preference }: Matched,
  spec: JsonMap,
  requires: Json | undefined,
): Shortfall | null {
  if (requires === undefined) return null
  const required = Number(read.at(requires, 'guest') ?? 0)
  const insufficient = (has: number, by: string): string =>
    `insufficient CPU resources of ${has} vCPU provided by ${by}, preference requires ${required} vCPU`
  if (instancetype !== null) {
    const has = Number(read.at(instancetype, 'cpu', 'guest') ?? 0)
    return has < required
      ? { message: insufficient(has, 'instance type'), field: 'spec.instancetype' }
      : null
  }
  const shape = topologyOf(preference)
  const counted = shape === 'spread' ? spreadOf(preference).across : shape
  const cpu = read.map(read.at(spec, 'domain', 'cpu'))
  const has = countsFor[counted].reduce((product, key) => product * Number(cpu[key] ?? 0), 1)
  if (has >= required) return null
  const as = shape === 'any' ? 'cores, sockets and threads' : counted
  const field = countsFor[counted].map((key) => `spec.template.spec.domain.cpu.${key}`).join(', ')
  return { message: `${insufficient(has, 'VirtualMachine')} provided as ${as}`, field }
}

function memoryShortfall(
  { instancetype }: Matched,
  spec: JsonMap,
  requires: Json | undefined,
): Shortfall | null {
  if (requires === undefined) return null
  const required = read.at(requires, 'guest')
  const has =
    read.at(spec, 'domain', 'memory', 'guest') ??
    read.at(instancetype ?? {}, 'memory', 'guest') ??
    '0'
  if ((numberOf(has) ?? 0) >= (numberOf(required) ?? 0)) return null
  const by = instancetype === null ? 'VirtualMachine' : 'instance type'
  const message = `insufficient Memory resources of ${canonical(has)} provided by ${by}, preference requires ${canonical(required)}`
  return {
    message,
    field: instancetype === null ? 'spec.template.spec.domain.memory' : 'spec.instancetype',
  }
}

function archShortfall(spec: JsonMap, { architecture }: JsonMap): Shortfall | null {
  if (architecture === undefined || architecture === spec.architecture) return null
  const message = `preference requires architecture ${read.text(architecture)} but ${read.text(spec.architecture)} is being requested`
  return { message, field: 'spec.template.spec.architecture' }
}
