import { type GraphQLError, type GraphQLFormattedError, Kind } from 'graphql'
import { type FaultCode } from '../model/fault.ts'
import { type Log } from '../../runtime/log.ts'
import { faultFrom, remedyOf } from '../http/faults.ts'
import { extensionsFrom } from '../http/problem.ts'

/** Options for formatting errors, over HTTP and sockets alike. */
export interface ErrorFormatOptions {
  requestId: string
  /** True when the schema is public: a misspelt field then gets suggestions of similar names. */
  introspection: boolean
}

/**
 * Formats an error for the client. A fault carries its code. A complaint about the document or its
 * variables keeps its text, because it is about the caller's input. Any other error is a bug and
 * reveals only the request id.
 */
export function graphErrorFrom(
  error: GraphQLError,
  options: ErrorFormatOptions,
): GraphQLFormattedError {
  const { message, locations, path } = error.toJSON()
  const location = { ...(locations ? { locations } : {}), ...(path ? { path } : {}) }
  const code = complaintCode(error)
  if (code)
    return {
      message: redactComplaint(message, options),
      ...location,
      extensions: {
        code,
        fields: [],
        remedy: remedyOf(code).toString(),
        requestId: options.requestId,
      },
    }
  const fault = faultFrom(error)
  return {
    message: fault.message,
    ...location,
    extensions: { ...extensionsFrom(fault, options.requestId) },
  }
}

/**
 * Removes the value from a complaint, because it may be a secret, and the names that the validator
 * suggests.
 */
export function redactComplaint(
  message: string,
  { introspection }: Pick<ErrorFormatOptions, 'introspection'>,
): string {
  const withoutValue = message.replace(
    /got invalid value .*?; (Expected type "?[\w![\]]+).*/s,
    'got an invalid value; $1.',
  )
  return introspection ? withoutValue : withoutValue.replace(/ ?Did you mean .+\?/s, '')
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
 * Returns the code of a complaint by the executor, parser or validator. Returns null for errors
 * that were thrown while running.
 */
export function complaintCode({
  extensions,
  originalError,
  path,
  nodes,
}: GraphQLError): FaultCode | null {
  // Only errors before the first field have no path. Variables are checked then, by the code of
  // their type.
  if (!path && nodes?.some(({ kind }) => kind === Kind.VARIABLE_DEFINITION)) return 'invalid_input'
  if (originalError && !('extensions' in originalError)) return null
  // Errors of the compiler have no extensions, although their type says so.
  const code: unknown = (extensions as GraphQLError['extensions'] | undefined)?.code
  return typeof code === 'string' && Object.hasOwn(complaintCodes, code)
    ? (complaintCodes[code] ?? null)
    : null
}

/** Logs an unexpected error in full, under the request id that the caller received. */
export function logUnexpected(log: Log, error: GraphQLError, requestId: string): void {
  if (complaintCode(error)) return
  const fault = faultFrom(error)
  if (fault.code === 'internal')
    log.error('graphql.unexpected_error', {
      requestId,
      field: error.path?.join('.'),
      error: fault.cause,
      effect: 'the client received an internal error',
      remedy: 'if the error names PostgreSQL, check it; otherwise report it to the developers',
    })
}
