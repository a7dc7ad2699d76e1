import { type Cause } from '../../../objects/cause.ts'
import { read } from '../../../objects/read.ts'
import { canonical, numberOf } from '../../../quantity.ts'
import { cause } from '../../refusals.ts'
import { type Asked, type Rule, found, parts } from './rule.ts'

/** How much memory an instance may ask for. */
export const memory: Record<
  'requests' | 'limits' | 'hugepages' | 'guestWithinLimit' | 'reservedOverhead',
  Rule
> = {
  requests(asked) {
    const asks = parts.resource(asked, 'requests', 'memory')
    const bytes = numberOf(asks) ?? 0
    const field = `${asked.at}.domain.resources.requests.memory`
    const text = `${field} '${shown(asks)}'`
    return found(
      [bytes < 0, cause.wrong(field, `${text}: must be greater than or equal to 0.`)],
      [
        bytes > 0 && bytes < 1e6,
        cause.wrong(field, `${text}: must be greater than or equal to 1M.`),
      ],
    )
  },

  limits(asked) {
    const limit = parts.resource(asked, 'limits', 'memory')
    const asks = parts.resource(asked, 'requests', 'memory')
    const bytes = numberOf(limit) ?? 0
    const at = `${asked.at}.domain.resources`
    const text = `${at}.limits.memory '${shown(limit)}'`
    const above = `${at}.requests.memory '${shown(asks)}' is greater than ${text}`
    return found(
      [
        bytes < 0,
        cause.wrong(`${at}.limits.memory`, `${text}: must be greater than or equal to 0.`),
      ],
      [bytes > 0 && (numberOf(asks) ?? 0) > bytes, cause.wrong(`${at}.requests.memory`, above)],
    )
  },

  hugepages: (asked) => (parts.memory(asked).hugepages === undefined ? [] : pageCauses(asked)),

  guestWithinLimit(asked) {
    const { guest } = parts.memory(asked)
    const limit = parts.resource(asked, 'limits', 'memory')
    const most = numberOf(limit) ?? 0
    if (
      asked.config.liveUpdates ||
      guest === undefined ||
      most === 0 ||
      most >= (numberOf(guest) ?? 0)
    )
      return []
    const field = `${asked.at}.domain.memory.guest`
    const limitText = `${asked.at}.domain.resources.limits.memory '${shown(limit)}'`
    return [
      cause.wrong(
        field,
        `${field} '${shown(guest)}' must be equal to or less than the memory limit ${limitText}`,
      ),
    ]
  },

  reservedOverhead: (asked) =>
    found([
      parts.memory(asked).reservedOverhead !== undefined &&
        !asked.config.isOn('ReservedOverheadMemlock'),
      cause.wrong(
        `${asked.at}.domain.memory.reservedOverhead`,
        'Reserved overhead memlock feature gate is not enabled in kubevirt-config',
      ),
    ]),
}

/** A quantity that nobody gave is zero. */
export const shown = (quantity: unknown): string =>
  quantity === undefined ? '0' : canonical(quantity)

function pageCauses(asked: Asked): Cause[] {
  const pageSize = read.text(read.at(parts.memory(asked), 'hugepages', 'pageSize'))
  const pageField = `${asked.at}.domain.memory.hugepages.pageSize`
  const page = numberOf(pageSize)
  if (page === null) {
    const why =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    return [cause.wrong(pageField, `${pageField} '${pageSize}': ${why}`)]
  }
  const asks = parts.resource(asked, 'requests', 'memory')
  const bytes =
    numberOf(asks) ||
    numberOf(parts.memory(asked).guest) ||
    numberOf(parts.resource(asked, 'limits', 'memory')) ||
    0
  const field = `${asked.at}.domain.resources.requests.memory`
  const isTooSmall = bytes !== 0 && bytes < page
  const verdict = isTooSmall
    ? 'must be equal to or larger than page size'
    : 'is not a multiple of the page size'
  return found([
    isTooSmall || (page > 0 && bytes % page !== 0),
    cause.wrong(field, `${field} '${shown(asks)}' ${verdict} ${pageField} '${pageSize}'`),
  ])
}
