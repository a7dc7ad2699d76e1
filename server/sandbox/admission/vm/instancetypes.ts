import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { spreadOf } from '../../instancetypes/topology.ts'
import { cause, denyIfAny, unreadable } from '../refusals.ts'
import { causesWhere } from './rules/rule.ts'

const validatorOf = ({ resource }: WebhookRequest): string =>
  `${resource.singular}-validator.instancetype.kubevirt.io`

/** Validates instance types, both namespaced and cluster-wide. */
export function reviewInstancetype(request: WebhookRequest): void {
  const { cpu, memory, launchSecurity } = read.spec(request.object)
  const guest = Number(read.at(cpu, 'guest') ?? 0)
  if (guest < 0)
    throw unreadable(
      validatorOf(request),
      `json: cannot unmarshal number ${guest} into Go struct field CPUInstancetype.spec.cpu.guest of type uint32`,
    )
  const { overcommitPercent, hugepages } = read.map(memory)
  const percent = Number(overcommitPercent ?? 0)
  const field = 'spec.memory.overcommitPercent'
  denyIfAny(
    validatorOf(request),
    causesWhere(
      [
        percent < 0 || percent > 100,
        cause.wrong(field, `${field} '${percent}': must be in range between 0 and 100.`),
      ],
      [
        percent !== 0 && hugepages !== undefined,
        cause.wrong(field, `${field} and spec.memory.hugepages should not be requested together.`),
      ],
    ),
  )
  if (launchSecurity !== undefined)
    request.warn(
      'launchSecurity is deprecated and will be removed in a future release. Use preference instead.',
    )
}

const shapes = ['sockets', 'cores', 'threads', 'spread', 'any']
const olderName = (shape: string): string =>
  `prefer${shape.charAt(0).toUpperCase()}${shape.slice(1)}`

/** Validates preferences, both namespaced and cluster-wide. */
export function reviewPreference(request: WebhookRequest): void {
  const spec = read.spec(request.object)
  const topology = read.at(spec.cpu, 'preferredCPUTopology')
  if (topology === undefined) return
  const text = read.text(topology)
  const shape = shapes.find((each) => text === each || text === olderName(each))
  const unknown = cause.wrong(
    'spec.cpu.preferredCPUTopology',
    `unknown preferredCPUTopology ${text}`,
  )
  denyIfAny(validatorOf(request), [
    ...causesWhere([shape === undefined, unknown]),
    ...(shape === 'spread' ? spreadCauses(spec) : []),
  ])
  if (shape === undefined || text === shape) return
  request.warn(
    `PreferredCPUTopology ${text} is deprecated for removal in a future release, please use ${shape} instead`,
  )
}

const spreads: readonly string[] = ['SocketsCores', 'CoresThreads', 'SocketsCoresThreads']

function spreadCauses(spec: JsonMap): Cause[] {
  const { across, ratio } = spreadOf(spec)
  const at = 'spec.cpu.spreadOptions'
  if (!spreads.includes(across))
    return [cause.wrong(`${at}.across`, `across ${across} is not supported`)]
  const message =
    'only a ratio of 2 (1 core 2 threads) is allowed when spreading vCPUs over cores and threads'
  return causesWhere([
    across === 'CoresThreads' && ratio !== 2,
    cause.wrong(`${at}.ratio`, message),
  ])
}
