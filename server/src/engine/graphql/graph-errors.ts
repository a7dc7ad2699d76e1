import { type GraphQLError, type GraphQLFormattedError, Kind } from 'graphql'
import { type FaultCode } from '../model/fault.ts'
import { type Log } from '../../runtime/log.ts'
import { faultFrom, remedyOf } from '../http/faults.ts'
import { extensionsFrom } from '../http/problem.ts'

/** How errors are told, over HTTP and the sockets alike. */
export interface ErrorWords {
  requestId: string
  /** Where the schema is no secret, a misspelt field gets the names that are close. */
  introspection: boolean
}

/**
 * A refusal carries its code. A complaint about the document or its variables keeps its words, for
 * they are about what the caller wrote. Everything else is a bug and says nothing but the request
 * id.
 */
export function graphErrorFrom(error: GraphQLError, words: ErrorWords): GraphQLFormattedError {
  const { message, locations, path } = error.toJSON()
  const where = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) }
  const code = complaintCode(error)
  if (code)
    return {
      message: told(message, words),
      ...where,
      extensions: {
        code,
        fields: [],
        remedy: remedyOf(code).toString(),
        requestId: words.requestId,
      },
    }
  const fault = faultFrom(error)
  return {
    message: fault.message,
    ...where,
    extensions: { ...extensionsFrom(fault, words.requestId) },
  }
}

/**
 * The words of the complaint without the value, which may be a secret, and without the names that
 * the validator suggests.
 */
export function told(
  message: string,
  { introspection }: Pick<ErrorWords, 'introspection'>,
): string {
  const blind = message.replace(
    /got invalid value .*?; (Expected type "?[\w![\]]+).*/s,
    'got an invalid value; $1.',
  )
  return introspection ? blind : blind.replace(/ ?Did you mean .+\?/s, '')
}

const complaintCodes: Readonly<Record<string, FaultCode>> = {
  GRAPHQL_PARSE_FAILED: 'query_refused',
  GRAPHQL_VALIDATION_FAILED: 'query_refused',
  PERSISTED_QUERY_NOT_FOUND: 'query_refused',
  PERSISTED_QUERY_NOT_SUPPORTED: 'query_refused',
  OPERATION_RESOLUTION_FAILURE: 'query_refused',
  BAD_USER_INPUT: 'invalid_input',
  BAD_REQUEST: 'invalid_input',
  query_refused: 'query_refused',
}

/**
 * What the executor, the parser or the validator has against the request; null for everything that
 * was thrown while running.
 */
export function complaintCode({
  extensions,
  originalError,
  path,
  nodes,
}: GraphQLError): FaultCode | null {
  // Only what happens before the first field has no path; variables are checked then, by whatever
  // their type does.
  if (!path && nodes?.some(({ kind }) => kind === Kind.VARIABLE_DEFINITION)) return 'invalid_input'
  if (originalError && !('extensions' in originalError)) return null
  // The compiler's own errors have no extensions, whatever their type says.
  const code: unknown = (extensions as GraphQLError['extensions'] | undefined)?.code
  return typeof code === 'string' && Object.hasOwn(complaintCodes, code)
    ? (complaintCodes[code] ?? null)
    : null
}

/** Writes down what nobody foresaw, whole, under the id that the caller was told. */
export function logBug(log: Log, error: GraphQLError, requestId: string): void {
  if (complaintCode(error)) return
  const fault = faultFrom(error)
  if (fault.code === 'internal')
    log.error('unexpected error in a resolver', { requestId, error: fault.cause })
}
