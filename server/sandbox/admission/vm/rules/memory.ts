import { type Cause } from '../../../objects/cause.ts'
import { read } from '../../../objects/read.ts'
import { canonical, numberOf } from '../../../quantity.ts'
import { cause } from '../../refusals.ts'
import { type RuleContext, type Rule, causesWhere, parts } from './rule.ts'

/** Validates the memory settings of a VMI. */
export const memory: Record<
  'requests' | 'limits' | 'hugepages' | 'guestWithinLimit' | 'reservedOverhead',
  Rule
> = {
  requests(context) {
    const request = parts.resource(context, 'requests', 'memory')
    const bytes = numberOf(request) ?? 0
    const field = `${context.at}.domain.resources.requests.memory`
    const text = `${field} '${shown(request)}'`
    return causesWhere(
      [bytes < 0, cause.wrong(field, `${text}: must be greater than or equal to 0.`)],
      [
        bytes > 0 && bytes < 1e6,
        cause.wrong(field, `${text}: must be greater than or equal to 1M.`),
      ],
    )
  },

  limits(context) {
    const limit = parts.resource(context, 'limits', 'memory')
    const request = parts.resource(context, 'requests', 'memory')
    const bytes = numberOf(limit) ?? 0
    const at = `${context.at}.domain.resources`
    const text = `${at}.limits.memory '${shown(limit)}'`
    const above = `${at}.requests.memory '${shown(request)}' is greater than ${text}`
    return causesWhere(
      [
        bytes < 0,
        cause.wrong(`${at}.limits.memory`, `${text}: must be greater than or equal to 0.`),
      ],
      [bytes > 0 && (numberOf(request) ?? 0) > bytes, cause.wrong(`${at}.requests.memory`, above)],
    )
  },

  hugepages: (context) =>
    parts.memory(context).hugepages === undefined ? [] : pageCauses(context),

  guestWithinLimit(context) {
    const { guest } = parts.memory(context)
    const limit = parts.resource(context, 'limits', 'memory')
    const most = numberOf(limit) ?? 0
    if (
      context.config.liveUpdates ||
      guest === undefined ||
      most === 0 ||
      most >= (numberOf(guest) ?? 0)
    )
      return []
    const field = `${context.at}.domain.memory.guest`
    const limitText = `${context.at}.domain.resources.limits.memory '${shown(limit)}'`
    return [
      cause.wrong(
        field,
        `${field} '${shown(guest)}' must be equal to or less than the memory limit ${limitText}`,
      ),
    ]
  },

  reservedOverhead: (context) =>
    causesWhere([
      parts.memory(context).reservedOverhead !== undefined &&
        !context.config.isGateEnabled('ReservedOverheadMemlock'),
      cause.wrong(
        `${context.at}.domain.memory.reservedOverhead`,
        'Reserved overhead memlock feature gate is not enabled in kubevirt-config',
      ),
    ]),
}

/** Formats a quantity for a message. A missing one is 0. */
export const shown = (quantity: unknown): string =>
  quantity === undefined ? '0' : canonical(quantity)

function pageCauses(context: RuleContext): Cause[] {
  const pageSize = read.text(read.at(parts.memory(context), 'hugepages', 'pageSize'))
  const pageField = `${context.at}.domain.memory.hugepages.pageSize`
  const page = numberOf(pageSize)
  if (page === null) {
    const why =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    return [cause.wrong(pageField, `${pageField} '${pageSize}': ${why}`)]
  }
  const request = parts.resource(context, 'requests', 'memory')
  const bytes =
    numberOf(request) ||
    numberOf(parts.memory(context).guest) ||
    numberOf(parts.resource(context, 'limits', 'memory')) ||
    0
  const field = `${context.at}.domain.resources.requests.memory`
  const isTooSmall = bytes !== 0 && bytes < page
  const verdict = isTooSmall
    ? 'must be equal to or larger than page size'
    : 'is not a multiple of the page size'
  return causesWhere([
    isTooSmall || (page > 0 && bytes % page !== 0),
    cause.wrong(field, `${field} '${shown(request)}' ${verdict} ${pageField} '${pageSize}'`),
  ])
}
