import { type Fault, type FaultCode, type FaultField } from '../model/fault.ts'
import { faultTable } from './faults.ts'

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: FaultCode
  request_id: string
  remedy: string
  fields?: readonly FaultField[]
  /** The sentence once more, for clients of the older interface, which read this key. */
  error: string
}

/** RFC 9457. */
export function problemFrom(fault: Fault, requestId: string): Problem {
  const { status, title, remedy } = faultTable[fault.code]
  const fields = fault.fields.length > 0 ? { fields: fault.fields } : {}
  const type = `urn:berth:fault:${fault.code}`
  return {
    type,
    title,
    status,
    detail: fault.message,
    code: fault.code,
    request_id: requestId,
    remedy,
    ...fields,
    error: fault.message,
  }
}

export interface FaultExtensions {
  code: FaultCode
  fields: readonly FaultField[]
  remedy: string
  requestId: string
  retryAfterSeconds?: number
}

/** The same refusal in a GraphQL error. */
export function extensionsFrom(fault: Fault, requestId: string): FaultExtensions {
  const retry =
    fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds }
  return {
    code: fault.code,
    fields: fault.fields,
    remedy: faultTable[fault.code].remedy,
    requestId,
    ...retry,
  }
}

export function retryHeaders(fault: Fault): Record<string, string> {
  return fault.retryAfterSeconds === undefined
    ? {}
    : { 'retry-after': String(Math.max(1, Math.ceil(fault.retryAfterSeconds))) }
}
