import { type FaultField } from '../model/fault.ts'
import { ClusterError, type Trouble } from './cluster-error.ts'
import { type ApiCall, callName } from './api-call.ts'
import { textMessage } from '../model/message.ts'

/*
 * Maps responses of the cluster to troubles (F-01 to F-17 of the reliability reference). Status
 * codes are not enough: 409 has four meanings and 403 three. The reason, the causes and in two
 * cases the text tell them apart.
 */
interface ApiResponse {
  call: ApiCall
  status: number
  body: unknown
  text: string
  retryAfterMs: number | undefined
}

interface Status {
  reason: string
  message: string
  kind: string
  causes: readonly { reason: string; message: string; field: string }[]
}

export function problemIn({ call, status, body, text, retryAfterMs }: ApiResponse): ClusterError {
  const response = statusIn(body, text)
  const details = {
    trouble: troubleOf(call, status, response),
    call: callName(call),
    status,
    group: call.fixedPath === undefined ? call.of.group : undefined,
    retryAfterMs,
    fields: fieldsIn(response),
  }
  return new ClusterError(response.message === '' ? `status ${status}` : response.message, details)
}

const byCode: Readonly<Record<number, (call: ApiCall, response: Status) => Trouble>> = {
  400: () => 'refused',
  401: () => 'unauthenticated',
  403: (_call, response) => forbidden(response),
  404: (call, response) => missing(call, response),
  405: () => 'refused',
  409: (_call, response) => conflict(response),
  410: () => 'expired',
  413: () => 'refused',
  415: () => 'refused',
  422: () => 'refused',
  429: () => 'throttled',
}

function troubleOf(call: ApiCall, status: number, response: Status): Trouble {
  const known = byCode[status]
  if (known) return known(call, response)
  if (status >= 400 && status < 500) return 'refused'
  if (/failed calling webhook|failed to call webhook|no endpoints available/.test(response.message))
    return 'webhook_unavailable'
  // The API server answers an apply with a field that the schema lacks by a 500, which no retry
  // heals.
  if (response.message.includes('failed to create typed patch object')) return 'refused'
  if (status === 504 && response.causes.some(({ reason }) => reason === 'ResourceVersionTooLarge'))
    return 'unreachable'
  // Redirects and unknown statuses end here too: read the object before repeating the call.
  return call.method === 'GET' ? 'unreachable' : 'maybe_applied'
}

function forbidden({ causes, message }: Status): Trouble {
  if (causes.some(({ reason }) => reason === 'NamespaceTerminating')) return 'namespace_terminating'
  return /exceeded quota|failed quota/.test(message) ? 'quota_exceeded' : 'not_permitted'
}

/**
 * Only a write can miss its namespace; for a read the object is absent. A 404 in plain text says
 * that the cluster does not know the kind, because a component is missing or being replaced. It
 * says nothing about any object.
 */
function missing({ of, method }: ApiCall, { kind, reason }: Status): Trouble {
  if (reason !== 'NotFound') return 'not_served'
  const isWrite = method === 'POST' || method === 'PATCH'
  return isWrite && kind === 'namespaces' && of.plural !== 'namespaces'
    ? 'namespace_missing'
    : 'gone'
}

function conflict({ reason, causes, message }: Status): Trouble {
  if (reason === 'AlreadyExists') return 'name_taken'
  if (causes.some((cause) => cause.reason === 'FieldManagerConflict')) return 'field_conflict'
  return /uid mismatch|UID in (the )?precondition/i.test(message)
    ? 'uid_mismatch'
    : 'version_conflict'
}

/** Returns only the fields and their complaints, nothing of the object. */
const fieldsIn = ({ causes }: Status): FaultField[] =>
  causes
    .filter(({ field }) => field !== '')
    .map(({ field, message }) => ({ path: field, message: textMessage(message.slice(0, 300)) }))

function statusIn(body: unknown, text: string): Status {
  const status = mapOf(body)
  const details = mapOf(status.details)
  const causes = Array.isArray(details.causes) ? details.causes.map(mapOf) : []
  return {
    reason: textOf(status.reason),
    message: textOf(status.message) || text.slice(0, 500).trim(),
    kind: textOf(details.kind),
    causes: causes.map(({ reason, message, field }) => ({
      reason: textOf(reason),
      message: textOf(message),
      field: textOf(field),
    })),
  }
}

const mapOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Parses `Retry-After` in seconds, as Kubernetes sends it. It never sends a date. */
export function retryAfterMs(header: string | undefined): number | undefined {
  const seconds = Number(header)
  return header !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds, 120) * 1000
    : undefined
}
