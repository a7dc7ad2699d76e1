import { type Fault, type FaultCode, type FaultField } from '../model/fault.ts'
import { remedyOf, statusOf, titleOf } from './faults.ts'
import { type Message, type MessageJson, messageJson } from '../model/message.ts'

export interface Problem {
  type: string
  title: Message
  status: number
  detail: string
  code: FaultCode
  request_id: string
  remedy: Message
  fields?: readonly FaultField[]
  /** The same sentence as `detail`, for clients of the older interface that read this key. */
  error: string
}

/** Returns the problem details of a fault (RFC 9457). */
export function problemFrom(fault: Fault, requestId: string): Problem {
  const fields = fault.fields.length > 0 ? { fields: fault.fields } : {}
  const type = `urn:berth:fault:${fault.code}`
  return {
    type,
    title: titleOf(fault.code),
    status: statusOf[fault.code],
    detail: fault.message,
    code: fault.code,
    request_id: requestId,
    remedy: remedyOf(fault.code),
    ...fields,
    error: fault.message,
  }
}

/**
 * Returns the problem details with message keys, for a client that renders messages in the user's
 * language.
 */
export function keyedProblemFrom(fault: Fault, requestId: string): object {
  const { code, fields, ...problem } = problemFrom(fault, requestId)
  const { key, params, fields: keyed } = extensionsFrom(fault, requestId)
  return { ...problem, code, key, params, ...(fields ? { fields: keyed } : {}) }
}

/**
 * The extensions of a GraphQL error. They contain the English sentence beside the key, so that no
 * client needs the catalogue.
 */
export interface FaultExtensions extends MessageJson {
  code: FaultCode
  fields: readonly (MessageJson & { path: string; message: string })[]
  remedy: string
  requestId: string
  retryAfterSeconds?: number
}

/** Returns the extensions of a GraphQL error for a fault. */
export function extensionsFrom(fault: Fault, requestId: string): FaultExtensions {
  const retry =
    fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds }
  return {
    code: fault.code,
    ...messageJson(fault.userMessage),
    fields: fault.fields.map(({ path, message }) => ({
      path,
      message: message.toString(),
      ...messageJson(message),
    })),
    remedy: remedyOf(fault.code).toString(),
    requestId,
    ...retry,
  }
}

export function retryHeaders(fault: Fault): Record<string, string> {
  return fault.retryAfterSeconds === undefined
    ? {}
    : { 'retry-after': String(Math.max(1, Math.ceil(fault.retryAfterSeconds))) }
}
