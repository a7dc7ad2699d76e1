import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { numberOf } from '../../../quantity.ts'
import { cause } from '../../refusals.ts'
import { type RuleContext, type Rule, causesWhere, parts } from './rule.ts'

/** A VMI with dedicated CPUs must specify their exact number and its memory. */
export const pinning: Rule = (context) => {
  const { dedicatedCpuPlacement, threads = 0 } = parts.cpu(context)
  if (dedicatedCpuPlacement !== true) return []
  const dedicated = `${context.at}.domain.cpu.dedicatedCpuPlacement`
  const isArm = context.spec.architecture === 'arm64'
  const got = `${context.at}.domain.cpu.threads (got ${Number(threads)})`
  return [
    ...memoryCauses(context),
    ...wholeCauses(context, 'requests'),
    ...wholeCauses(context, 'limits'),
    ...memoryBoundCauses(context),
    ...countCauses(context),
    ...causesWhere(
      [
        isArm && Number(threads) > 1,
        cause.wrong(
          `${context.at}.architecture`,
          `threads must not be greater than 1 at ${got} when ${context.at}.architecture is arm64`,
        ),
      ],
      [
        Number(threads) > 2,
        cause.wrong(
          dedicated,
          `Not more than two threads must be provided at ${got} when DedicatedCPUPlacement is true`,
        ),
      ],
    ),
  ]
}

const whole = (quantity: unknown): number => Math.ceil(numberOf(quantity) ?? 0)

function memoryCauses(context: RuleContext): Cause[] {
  const { guest, hugepages } = parts.memory(context)
  const amounts = [
    parts.resource(context, 'limits', 'memory'),
    parts.resource(context, 'requests', 'memory'),
    guest,
  ]
  if (hugepages !== undefined || amounts.some((each) => (numberOf(each) ?? 0) !== 0)) return []
  const at = `${context.at}.domain`
  const fields = [
    `${at}.resources.requests.memory`,
    `${at}.resources.limits.memory`,
    `${at}.memory.hugepages`,
  ]
  return [
    cause.wrong(
      `${at}.resources.limits.memory`,
      `${fields.join(', ')} or ${at}.memory.guest should be provided`,
    ),
  ]
}

function wholeCauses(context: RuleContext, kind: 'requests' | 'limits'): Cause[] {
  const quantity = parts.resource(context, kind, 'cpu')
  const isBroken = whole(quantity) > 0 && !Number.isInteger(numberOf(quantity))
  return causesWhere([
    isBroken,
    cause.wrong(
      `${context.at}.domain.resources.${kind}.cpu`,
      `provided resources CPU ${kind} must be an interger`,
    ),
  ])
}

function memoryBoundCauses(context: RuleContext): Cause[] {
  const request = whole(parts.resource(context, 'requests', 'memory'))
  const limit = whole(parts.resource(context, 'limits', 'memory'))
  const at = `${context.at}.domain.resources`
  const message = `${at}.requests.memory must be equal to ${at}.limits.memory`
  return causesWhere([
    request > 0 && limit > 0 && request !== limit,
    cause.wrong(`${at}.requests.memory`, message),
  ])
}

/** Sockets times cores times threads, without those that the spec omits. */
const vcpusOf = ({ sockets = 0, cores = 0, threads = 0 }: JsonMap): number =>
  [sockets, cores, threads]
    .map(Number)
    .reduce((product, each) => (each === 0 ? product : Math.max(product, 1) * each), 0)

function countCauses(context: RuleContext): Cause[] {
  const request = whole(parts.resource(context, 'requests', 'cpu'))
  const limit = whole(parts.resource(context, 'limits', 'cpu'))
  const vcpus = vcpusOf(parts.cpu(context))
  const at = `${context.at}.domain`
  const either = `${at}.resources.requests.cpu or ${at}.resources.limits.cpu`
  const rule = (message: string): Cause =>
    cause.wrong(`${at}.cpu.dedicatedCpuPlacement`, `${message} when DedicatedCPUPlacement is true `)
  return causesWhere(
    [
      request === 0 && limit === 0 && vcpus === 0,
      rule(`either ${either} or ${at}.cpu.cores must be provided`),
    ],
    [request > 0 && limit > 0 && request !== limit, rule(`${either} must be equal`)],
    [
      (request > 0 || limit > 0) && vcpus > 0 && request !== vcpus && limit !== vcpus,
      rule(`${either} must not be provided at the same time with ${at}.cpu.cores`),
    ],
  )
}
