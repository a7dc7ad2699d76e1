import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { causesWhere } from '../rules/rule.ts'

/** Validates the ports that an interface on the pod network forwards to the guest. */
export const portCauses = (at: string, ports: readonly JsonMap[]): Cause[] => [
  ...ports.flatMap((port, index) =>
    nameCauses(`${at}.ports[${index}].name`, read.text(port.name), ports.slice(0, index)),
  ),
  ...ports.flatMap((port, index) => numberCauses(`${at}.ports[${index}]`, port)),
]

function nameCauses(field: string, name: string, before: readonly JsonMap[]): Cause[] {
  if (name === '') return []
  return causesWhere(
    [
      before.some((other) => other.name === name),
      cause.repeated(field, `Duplicate name of the port: ${name}`),
    ],
    [!isPortName(name), cause.wrong(field, `Invalid name of the port: ${name}`)],
  )
}

/** True for an IANA service name: at most 15 characters, a letter, and no misplaced dash. */
const isPortName = (name: string): boolean =>
  name.length <= 15 &&
  /^[-a-z0-9]+$/.test(name) &&
  /[a-z]/.test(name) &&
  !name.includes('--') &&
  !/^-|-$/.test(name)

function numberCauses(at: string, { port, protocol }: JsonMap): Cause[] {
  const number = Number(port ?? 0)
  return causesWhere(
    [number === 0, cause.required(`${at}.port`, 'Port field is mandatory.')],
    [
      number < 0 || number >= 65_536,
      cause.wrong(`${at}.port`, 'Port field must be in range 0 < x < 65536.'),
    ],
    [
      !['', 'TCP', 'UDP'].includes(read.text(protocol)),
      cause.wrong(`${at}.protocol`, 'Unknown protocol, only TCP or UDP allowed'),
    ],
  )
}

interface Setting {
  onPod: boolean
  isOn: boolean
}

/** Validates the port ranges that an interface forwards to the guest. */
export function portRangeCauses(
  at: string,
  { portRanges, ports, masquerade }: JsonMap,
  { onPod, isOn }: Setting,
): Cause[] {
  if (portRanges === undefined) return []
  const wrong = (message: string): Cause => cause.wrong(`${at}.name`, message)
  if (!isOn)
    return [
      wrong(
        'portRanges is specified on interface but the PortRangesSpec feature gate is not enabled',
      ),
    ]
  if (!onPod) return []
  return [
    ...causesWhere(
      [ports !== undefined, wrong('Cannot define both ports and portRanges on interface')],
      [masquerade === undefined, wrong('portRanges are only supported on masquerade interfaces')],
    ),
    ...rangeCauses(`${at}.portRanges`, read.maps(portRanges)),
  ]
}

function rangeCauses(at: string, ranges: readonly JsonMap[]): Cause[] {
  if (ranges.length > 10) return [cause.wrong(at, 'No more than 10 portRanges are allowed')]
  const wrong = ranges.map((range, index) => rangeCause(`${at}[${index}]`, range))
  const fine = ranges.filter((_range, index) => wrong[index] === null)
  return [
    ...wrong.filter((each) => each !== null),
    ...['TCP', 'UDP'].flatMap((protocol) =>
      overlapCauses(
        at,
        protocol,
        fine.filter((range) => range.protocol === protocol),
      ),
    ),
  ]
}

const isPort = (port: number): boolean => port > 0 && port < 65_536

function rangeCause(at: string, range: JsonMap): Cause | null {
  const [start, end] = [Number(range.start ?? 0), Number(range.end ?? 0)]
  if (range.protocol !== 'TCP' && range.protocol !== 'UDP')
    return cause.wrong(`${at}.protocol`, 'Unknown protocol, only TCP or UDP allowed')
  if (!isPort(start))
    return cause.wrong(`${at}.start`, 'Start must be a valid port number, 0 < x < 65536')
  if (!isPort(end))
    return cause.wrong(`${at}.end`, 'End must be a valid port number, 0 < x < 65536')
  return start > end ? cause.wrong(`${at}.start`, 'Start must be less than or equal to end') : null
}

function overlapCauses(at: string, protocol: string, ranges: readonly JsonMap[]): Cause[] {
  const sorted = ranges
    .map(({ start, end }) => [Number(start), Number(end)] as const)
    .sort(([a, b], [c, d]) => a - c || b - d)
  return sorted.flatMap(([start, end], index) => {
    const before = sorted[index - 1]
    if (!before || start > before[1]) return []
    return [
      cause.wrong(
        at,
        `${protocol} portRanges [${before[0]}-${before[1]}] and [${start}-${end}] overlap`,
      ),
    ]
  })
}
