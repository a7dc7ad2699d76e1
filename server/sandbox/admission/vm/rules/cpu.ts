import { type Cause } from '../../../objects/cause.ts'
import { read } from '../../../objects/read.ts'
import { numberOf } from '../../../quantity.ts'
import { cause } from '../../refusals.ts'
import { shown } from './memory.ts'
import { type Asked, type Rule, found, parts } from './rule.ts'

/** What CPUs an instance may ask for. */
export const cpu: Record<
  | 'requests'
  | 'limits'
  | 'requestsWithinLimits'
  | 'numa'
  | 'isolatedEmulator'
  | 'features'
  | 'hotplug'
  | 'realtime',
  Rule
> = {
  requests: (asked) => negativeCauses(asked, 'requests'),
  limits: (asked) => negativeCauses(asked, 'limits'),

  requestsWithinLimits(asked) {
    const asks = parts.resource(asked, 'requests', 'cpu')
    const limit = parts.resource(asked, 'limits', 'cpu')
    const most = milli(limit)
    const field = `${asked.at}.domain.resources.requests.cpu`
    const text = `${field} '${shown(asks)}' is greater than ${asked.at}.domain.resources.limits.cpu '${shown(limit)}'`
    return found([most > 0 && milli(asks) > most, cause.wrong(field, text)])
  },

  numa(asked) {
    const given = parts.cpu(asked)
    if (read.at(given, 'numa', 'guestMappingPassthrough') === undefined) return []
    const field = `${asked.at}.domain.cpu.numa.guestMappingPassthrough`
    const needs = (what: string): Cause =>
      cause.wrong(field, `${what} when NUMA topology strategy is set in ${field}`)
    return found(
      [
        given.dedicatedCpuPlacement !== true,
        needs(`${asked.at}.domain.cpu.dedicatedCpuPlacement must be set to true`),
      ],
      [
        parts.memory(asked).hugepages === undefined,
        needs(`${asked.at}.domain.memory.hugepages must be requested`),
      ],
    )
  },

  isolatedEmulator(asked) {
    const { isolateEmulatorThread, dedicatedCpuPlacement } = parts.cpu(asked)
    const message =
      'IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement'
    const field = `${asked.at}.domain.cpu.isolateEmulatorThread`
    return found([
      isolateEmulatorThread === true && dedicatedCpuPlacement !== true,
      cause.wrong(field, message),
    ])
  },

  features: (asked) =>
    read.maps(parts.cpu(asked).features).flatMap(({ name, policy }, index) => {
      const message = `CPU feature ${read.text(name)} uses policy ${read.text(policy)} that is not supported.`
      const isKnown = policies.has(read.text(policy))
      return isKnown
        ? []
        : [cause.unsupported(`${asked.at}.domain.cpu.features[${index}].policy`, message)]
    }),

  hotplug: (asked) => socketCauses(asked),

  realtime(asked) {
    const given = parts.cpu(asked)
    if (given.realtime === undefined) return []
    const at = `${asked.at}.domain.cpu`
    const numa = `${at}.numa.guestMappingPassthrough`
    return found(
      [
        given.dedicatedCpuPlacement !== true,
        cause.required(
          `${at}.dedicatedCpuPlacement`,
          `${at}.dedicatedCpuPlacement must be set to true when ${at}.realtime is used`,
        ),
      ],
      [
        read.at(given, 'numa', 'guestMappingPassthrough') === undefined,
        cause.required(numa, `${numa} must be defined when ${at}.realtime is used`),
      ],
    )
  },
}

const policies = new Set(['', 'force', 'require', 'optional', 'disable', 'forbid'])

const milli = (quantity: unknown): number => Math.ceil((numberOf(quantity) ?? 0) * 1000)

function negativeCauses(asked: Asked, kind: 'requests' | 'limits'): Cause[] {
  const given = parts.resource(asked, kind, 'cpu')
  const field = `${asked.at}.domain.resources.${kind}.cpu`
  return found([
    milli(given) < 0,
    cause.wrong(field, `${field} '${shown(given)}': must be greater than or equal to 0.`),
  ])
}

/** Asked once of every instance, and once more of what may be changed while it runs. */
export function socketCauses(asked: Pick<Asked, 'spec' | 'at'>): Cause[] {
  const { sockets = 0, maxSockets = 0 } = parts.cpu(asked)
  const message = 'Number of sockets in CPU topology is greater than the maximum sockets allowed'
  return found([
    Number(maxSockets) !== 0 && Number(sockets) > Number(maxSockets),
    cause.wrong(`${asked.at}.domain.cpu.sockets`, message),
  ])
}
