import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { numberOf } from '../../../quantity.ts'
import { cause } from '../../refusals.ts'
import { type Asked, type Rule, found, parts } from './rule.ts'

/** An instance with CPUs of its own must say exactly how many, and how much memory. */
export const pinning: Rule = (asked) => {
  const { dedicatedCpuPlacement, threads = 0 } = parts.cpu(asked)
  if (dedicatedCpuPlacement !== true) return []
  const dedicated = `${asked.at}.domain.cpu.dedicatedCpuPlacement`
  const isArm = asked.spec.architecture === 'arm64'
  const got = `${asked.at}.domain.cpu.threads (got ${Number(threads)})`
  return [
    ...memoryCauses(asked),
    ...wholeCauses(asked, 'requests'),
    ...wholeCauses(asked, 'limits'),
    ...memoryBoundCauses(asked),
    ...countCauses(asked),
    ...found(
      [
        isArm && Number(threads) > 1,
        cause.wrong(
          `${asked.at}.architecture`,
          `threads must not be greater than 1 at ${got} when ${asked.at}.architecture is arm64`,
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

function memoryCauses(asked: Asked): Cause[] {
  const { guest, hugepages } = parts.memory(asked)
  const amounts = [
    parts.resource(asked, 'limits', 'memory'),
    parts.resource(asked, 'requests', 'memory'),
    guest,
  ]
  if (hugepages !== undefined || amounts.some((each) => (numberOf(each) ?? 0) !== 0)) return []
  const at = `${asked.at}.domain`
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

function wholeCauses(asked: Asked, kind: 'requests' | 'limits'): Cause[] {
  const given = parts.resource(asked, kind, 'cpu')
  const isBroken = whole(given) > 0 && !Number.isInteger(numberOf(given))
  return found([
    isBroken,
    cause.wrong(
      `${asked.at}.domain.resources.${kind}.cpu`,
      `provided resources CPU ${kind} must be an interger`,
    ),
  ])
}

function memoryBoundCauses(asked: Asked): Cause[] {
  const asks = whole(parts.resource(asked, 'requests', 'memory'))
  const limit = whole(parts.resource(asked, 'limits', 'memory'))
  const at = `${asked.at}.domain.resources`
  const message = `${at}.requests.memory must be equal to ${at}.limits.memory`
  return found([
    asks > 0 && limit > 0 && asks !== limit,
    cause.wrong(`${at}.requests.memory`, message),
  ])
}

/** Sockets times cores times threads, as far as somebody says how many. */
const vcpusOf = ({ sockets = 0, cores = 0, threads = 0 }: JsonMap): number =>
  [sockets, cores, threads]
    .map(Number)
    .reduce((product, each) => (each === 0 ? product : Math.max(product, 1) * each), 0)

function countCauses(asked: Asked): Cause[] {
  const asks = whole(parts.resource(asked, 'requests', 'cpu'))
  const limit = whole(parts.resource(asked, 'limits', 'cpu'))
  const vcpus = vcpusOf(parts.cpu(asked))
  const at = `${asked.at}.domain`
  const either = `${at}.resources.requests.cpu or ${at}.resources.limits.cpu`
  const rule = (message: string): Cause =>
    cause.wrong(`${at}.cpu.dedicatedCpuPlacement`, `${message} when DedicatedCPUPlacement is true `)
  return found(
    [
      asks === 0 && limit === 0 && vcpus === 0,
      rule(`either ${either} or ${at}.cpu.cores must be provided`),
    ],
    [asks > 0 && limit > 0 && asks !== limit, rule(`${either} must be equal`)],
    [
      (asks > 0 || limit > 0) && vcpus > 0 && asks !== vcpus && limit !== vcpus,
      rule(`${either} must not be provided at the same time with ${at}.cpu.cores`),
    ],
  )
}
