import { type Cause } from './cause.ts'
import { type Json, type JsonMap, isMap } from './types.ts'
import { type Resource, kindName, resourceName } from './resource.ts'

interface Refusal {
  status: number
  reason?: string | undefined
  message: string
  details?: JsonMap | undefined
  metadata?: JsonMap | undefined
}

/** An error response with the `Status` body that Kubernetes clients expect. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string | undefined
  readonly details: JsonMap | undefined
  readonly metadata: JsonMap
  /** Warning headers of the response. */
  warnings: readonly string[] = []

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'ApiError'
    this.status = refusal.status
    this.reason = refusal.reason
    this.details = refusal.details
    this.metadata = refusal.metadata ?? {}
  }

  body(): JsonMap {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.metadata,
      status: 'Failure',
      message: this.message,
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.status,
    }
  }
}

type Named = Pick<Resource, 'group' | 'plural'>

const detailsOf = (resource: Named, name: string): JsonMap => ({
  ...(name === '' ? {} : { name }),
  ...(resource.group === '' ? {} : { group: resource.group }),
  kind: resource.plural,
})

const statusOfReason: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
}

/** The refusals of an API server, by reason. Each function returns the error to throw. */
export const refuse = {
  badRequest: (message: string) => new ApiError({ status: 400, reason: 'BadRequest', message }),

  unauthorized: () =>
    new ApiError({ status: 401, reason: 'Unauthorized', message: 'Unauthorized' }),

  pathForbidden: (who: string, what: { verb: string; path: string }, why: string) =>
    new ApiError({
      status: 403,
      reason: 'Forbidden',
      message: `forbidden: User "${who}" cannot ${what.verb} path "${what.path}"${why}`,
      details: {},
    }),

  forbidden: (resource: Named, name: string, why: { text: string; causes?: Json[] }) =>
    new ApiError({
      status: 403,
      reason: 'Forbidden',
      message:
        name === ''
          ? `${resourceName(resource)} is forbidden: ${why.text}`
          : `${resourceName(resource)} "${name}" is forbidden: ${why.text}`,
      details: { ...detailsOf(resource, name), ...(why.causes ? { causes: why.causes } : {}) },
    }),

  notFound: (resource: Resource, name: string) =>
    new ApiError({
      status: 404,
      reason: 'NotFound',
      message: `${resourceName(resource)} "${name}" not found`,
      details: detailsOf(resource, name),
    }),

  methodNotAllowed: () =>
    new ApiError({
      status: 405,
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
      details: {},
    }),

  notAcceptable: (message: string) =>
    new ApiError({ status: 406, reason: 'NotAcceptable', message }),

  alreadyExists: (resource: Resource, name: string, deleting: boolean) =>
    new ApiError({
      status: 409,
      reason: 'AlreadyExists',
      message: `${deleting ? 'object is being deleted: ' : ''}${resourceName(resource)} "${name}" already exists`,
      details: detailsOf(resource, name),
    }),

  conflict: (resource: Resource, name: string, why: string) =>
    new ApiError({
      status: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${resourceName(resource)} "${name}": ${why}`,
      details: detailsOf(resource, name),
    }),

  /** Delete preconditions name the kind where all other errors name the resource. */
  preconditionFailed: (resource: Resource, name: string, why: string) =>
    new ApiError({
      status: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on ${kindName(resource)} "${name}": ${why}`,
      details: { ...detailsOf(resource, name), kind: resource.kind },
    }),

  expired: (message: string, metadata: JsonMap = {}) =>
    new ApiError({ status: 410, reason: 'Expired', message, metadata }),

  tooLarge: (limit: number) =>
    new ApiError({
      status: 413,
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: limit is ${limit}`,
    }),

  unsupportedMedia: (accepted: readonly string[] | null) =>
    new ApiError({
      status: 415,
      reason: 'UnsupportedMediaType',
      message: accepted
        ? `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
        : '415: Unsupported Media Type',
      details: accepted ? undefined : {},
    }),

  unprocessablePatch: () =>
    new ApiError({
      status: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    }),

  /** A refused strict patch quotes the whole patched object. */
  patchedObject: (patched: Json, why: string) =>
    invalid({ kind: '', group: '', label: '' }, '', [
      {
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${JSON.stringify(JSON.stringify(inOrder(patched)))}: ${why}`,
        field: 'patch',
      },
    ]),

  /** The details contain `retryAfterSeconds` where a retry makes sense. */
  tooManyRequests: (message: string, details: JsonMap) =>
    new ApiError({ status: 429, reason: 'TooManyRequests', message, details }),

  /** The message contains `forbidden` for every reason of the policy. */
  byPolicy: (
    resource: Named,
    name: string,
    { message, reason }: { message: string; reason: string },
  ) =>
    new ApiError({
      status: statusOfReason[reason] ?? 422,
      reason,
      message: `${resourceName(resource)} "${name}" is forbidden: ${message}`,
      details: { ...detailsOf(resource, name), causes: [{ message }] },
    }),

  /** A webhook's own refusal has no reason. */
  byWebhook: (status: number, webhook: string, why: string) =>
    new ApiError({ status, message: `admission webhook "${webhook}" denied the request: ${why}` }),

  unavailable: (message: string) =>
    new ApiError({ status: 503, reason: 'ServiceUnavailable', message }),

  /** An internal error that the API server reports itself. */
  internalError: (why: string) =>
    new ApiError({
      status: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${why}`,
      details: { causes: [{ message: why }] },
    }),

  internal: (message: string) => new ApiError({ status: 500, message }),

  futureVersion: (requested: string, current: number) =>
    new ApiError({
      status: 504,
      reason: 'Timeout',
      message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    }),
}

/** Sorts the keys of all maps, as Go writes them. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isMap(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(
    keys.flatMap((key) => (value[key] === undefined ? [] : [[key, inOrder(value[key])]])),
  )
}

/** Returns 422 with causes. Equal messages appear once in the text, but each cause is listed. */
export function invalid(
  who: { kind: string; group: string; label: string },
  name: string,
  causes: readonly Cause[],
): ApiError {
  const sentences = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))]
  const text = sentences.length === 1 ? sentences[0] : `[${sentences.join(', ')}]`
  return new ApiError({
    status: 422,
    reason: 'Invalid',
    message: `${who.label} "${name}" is invalid: ${text}`,
    details: {
      ...(name === '' ? {} : { name }),
      ...(who.group === '' ? {} : { group: who.group }),
      ...(who.kind === '' ? {} : { kind: who.kind }),
      causes: [...causes],
    },
  })
}

export const invalidObject = (
  resource: Resource,
  name: string,
  causes: readonly Cause[],
): ApiError =>
  invalid({ kind: resource.kind, group: resource.group, label: kindName(resource) }, name, causes)
