import { type Cause } from '../../../objects/cause.ts'
import { read } from '../../../objects/read.ts'
import { numberOf } from '../../../quantity.ts'
import { cause } from '../../refusals.ts'
import { shown } from './memory.ts'
import { type RuleContext, type Rule, causesWhere, parts } from './rule.ts'

/** Validates the CPU settings of a VMI. */
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
  requests: (context) => negativeCauses(context, 'requests'),
  limits: (context) => negativeCauses(context, 'limits'),

  requestsWithinLimits(context) {
    const request = parts.resource(context, 'requests', 'cpu')
    const limit = parts.resource(context, 'limits', 'cpu')
    const most = milli(limit)
    const field = `${context.at}.domain.resources.requests.cpu`
    const text = `${field} '${shown(request)}' is greater than ${context.at}.domain.resources.limits.cpu '${shown(limit)}'`
    return causesWhere([most > 0 && milli(request) > most, cause.wrong(field, text)])
  },

  numa(context) {
    const settings = parts.cpu(context)
    if (read.at(settings, 'numa', 'guestMappingPassthrough') === undefined) return []
    const field = `${context.at}.domain.cpu.numa.guestMappingPassthrough`
    const needs = (what: string): Cause =>
      cause.wrong(field, `${what} when NUMA topology strategy is set in ${field}`)
    return causesWhere(
      [
        settings.dedicatedCpuPlacement !== true,
        needs(`${context.at}.domain.cpu.dedicatedCpuPlacement must be set to true`),
      ],
      [
        parts.memory(context).hugepages === undefined,
        needs(`${context.at}.domain.memory.hugepages must be requested`),
      ],
    )
  },

  isolatedEmulator(context) {
    const { isolateEmulatorThread, dedicatedCpuPlacement } = parts.cpu(context)
    const message =
      'IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement'
    const field = `${context.at}.domain.cpu.isolateEmulatorThread`
    return causesWhere([
      isolateEmulatorThread === true && dedicatedCpuPlacement !== true,
      cause.wrong(field, message),
    ])
  },

  features: (context) =>
    read.maps(parts.cpu(context).features).flatMap(({ name, policy }, index) => {
      const message = `CPU feature ${read.text(name)} uses policy ${read.text(policy)} that is not supported.`
      const isKnown = policies.has(read.text(policy))
      return isKnown
        ? []
        : [cause.unsupported(`${context.at}.domain.cpu.features[${index}].policy`, message)]
    }),

  hotplug: (context) => socketCauses(context),

  realtime(context) {
    const settings = parts.cpu(context)
    if (settings.realtime === undefined) return []
    const at = `${context.at}.domain.cpu`
    const numa = `${at}.numa.guestMappingPassthrough`
    return causesWhere(
      [
        settings.dedicatedCpuPlacement !== true,
        cause.required(
          `${at}.dedicatedCpuPlacement`,
          `${at}.dedicatedCpuPlacement must be set to true when ${at}.realtime is used`,
        ),
      ],
      [
        read.at(settings, 'numa', 'guestMappingPassthrough') === undefined,
        cause.required(numa, `${numa} must be defined when ${at}.realtime is used`),
      ],
    )
  },
}

const policies = new Set(['', 'force', 'require', 'optional', 'disable', 'forbid'])

const milli = (quantity: unknown): number => Math.ceil((numberOf(quantity) ?? 0) * 1000)

function negativeCauses(context: RuleContext, kind: 'requests' | 'limits'): Cause[] {
  const quantity = parts.resource(context, kind, 'cpu')
  const field = `${context.at}.domain.resources.${kind}.cpu`
  return causesWhere([
    milli(quantity) < 0,
    cause.wrong(field, `${field} '${shown(quantity)}': must be greater than or equal to 0.`),
  ])
}

/** Applies to every VMI, and again to a VM when live updates are on. */
export function socketCauses(context: Pick<RuleContext, 'spec' | 'at'>): Cause[] {
  const { sockets = 0, maxSockets = 0 } = parts.cpu(context)
  const message = 'Number of sockets in CPU topology is greater than the maximum sockets allowed'
  return causesWhere([
    Number(maxSockets) !== 0 && Number(sockets) > Number(maxSockets),
    cause.wrong(`${context.at}.domain.cpu.sockets`, message),
  ])
}
