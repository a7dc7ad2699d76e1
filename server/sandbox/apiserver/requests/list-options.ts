import { type Cause, causes } from '../../objects/cause.ts'
import { refuse } from '../../objects/status.ts'
import { invalidOptions } from './options.ts'

export interface ListOptions {
  limit: number
  continueToken: string
  /** The parameter `resourceVersion`, and how it is to be matched. */
  version: string
  match: string
  /** True or false when the client sent `sendInitialEvents`; null without it. */
  initialEvents: boolean | null
}

/** A rule that holds for the parameters unless it returns a cause. */
type Rule = (options: ListOptions) => Cause | null

const match = (isWrong: (options: ListOptions) => boolean, why: string): Rule =>
  refused('resourceVersionMatch', isWrong, why)

const refused =
  (field: string, isWrong: (options: ListOptions) => boolean, why: string): Rule =>
  (options) =>
    isWrong(options) ? causes.forbidden(field, why) : null

const supports =
  (values: readonly string[]): Rule =>
  (options) =>
    options.match === '' || values.includes(options.match)
      ? null
      : causes.unsupported('resourceVersionMatch', options.match, values)

const isContinued = match(
  (options) => options.match !== '' && options.continueToken !== '',
  'resourceVersionMatch is forbidden when continue is provided',
)

const listRules: readonly Rule[] = [
  match(
    (options) => options.match !== '' && options.version === '',
    'resourceVersionMatch is forbidden unless resourceVersion is provided',
  ),
  isContinued,
  supports(['Exact', 'NotOlderThan', '']),
  match(
    (options) => options.match === 'Exact' && options.version === '0',
    'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  ),
  refused(
    'sendInitialEvents',
    ({ initialEvents }) => initialEvents !== null,
    'sendInitialEvents is forbidden for list',
  ),
]

const watchRules: readonly Rule[] = [
  match(
    (options) => options.initialEvents !== null && options.match !== 'NotOlderThan',
    'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  ),
  match(
    (options) => options.match !== '' && options.initialEvents === null,
    'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
  ),
  supports(['NotOlderThan']),
  isContinued,
]

/** Reads the parameters of a list. Throws the API server's error when they exclude each other. */
export const listOptions = (query: URLSearchParams): ListOptions => checked(query, listRules)

/** Reads the parameters of a watch. */
export const watchOptions = (query: URLSearchParams): ListOptions => checked(query, watchRules)

function checked(query: URLSearchParams, rules: readonly Rule[]): ListOptions {
  const text = (name: string): string => query.get(name) ?? ''
  parseInteger(text('timeoutSeconds'))
  const initialEvents = query.get('sendInitialEvents')
  const options: ListOptions = {
    limit: Math.max(0, parseInteger(text('limit'))),
    continueToken: text('continue'),
    version: text('resourceVersion'),
    match: text('resourceVersionMatch'),
    initialEvents: initialEvents === null ? null : !['0', 'false'].includes(initialEvents),
  }
  const found = rules.map((rule) => rule(options)).filter((cause) => cause !== null)
  if (found.length > 0) throw invalidOptions('ListOptions', ...found)
  return options
}

function parseInteger(text: string): number {
  if (text === '') return 0
  if (!/^[-+]?\d+$/.test(text))
    throw refuse.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text)
}

/** Returns the API server's message for a `resourceVersion` that is no number. */
export const versionError = (text: string): string =>
  `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`
