import { invalidOptions, unsupported } from './options.ts'
import { refuse } from '../../objects/status.ts'

export interface ListOptions {
  limit: number
  continueToken: string
  /** The parameter `resourceVersion`, and how it is to be matched. */
  version: string
  match: string
}

/**
 * Reads the parameters of a list or watch request. Throws the API server's error when they are
 * invalid together.
 */
export function listOptions(query: URLSearchParams): ListOptions {
  const options = {
    limit: parseLimit(query.get('limit') ?? ''),
    continueToken: query.get('continue') ?? '',
    version: query.get('resourceVersion') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
  }
  const found = query.has('sendInitialEvents')
    ? initialEventsProblem(options)
    : matchProblem(options)
  if (found !== null) throw found
  return options
}

const forbid = (why: string): Error =>
  invalidOptions('ListOptions', {
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${why}`,
    field: 'resourceVersionMatch',
  })

const initialEventsProblem = ({ match }: ListOptions): Error | null =>
  match === 'NotOlderThan'
    ? null
    : forbid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')

function matchProblem({ match, version, continueToken }: ListOptions): Error | null {
  if (match === '') return null
  if (!['Exact', 'NotOlderThan'].includes(match)) {
    return invalidOptions(
      'ListOptions',
      unsupported('resourceVersionMatch', JSON.stringify(match), ['Exact', 'NotOlderThan', '']),
    )
  }
  if (version === '')
    return forbid('resourceVersionMatch is forbidden unless resourceVersion is provided')
  if (continueToken !== '')
    return forbid('resourceVersionMatch is forbidden when continue is provided')
  return match === 'Exact' && version === '0'
    ? forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
    : null
}

function parseLimit(text: string): number {
  if (text === '') return 0
  if (!/^[-+]?\d+$/.test(text))
    throw refuse.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Math.max(0, Number(text))
}

/** Returns the API server's message for a `resourceVersion` that is no number. */
export const versionError = (text: string): string =>
  `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`
