import { type IncomingHttpHeaders } from 'node:http'
import { type Fault } from '../model/fault.ts'
import { statusOf } from './faults.ts'
import { acceptsMessages } from './messages-header.ts'
import { MethodRefused } from './method-refused.ts'
import { keyedProblemFrom, problemFrom, retryHeaders } from './problem.ts'

/** A text that arrives in parts until the client disconnects. */
export interface TextStream {
  /** Resolves with null at the end. */
  next(): Promise<string | null>
  close(): void
}

/** A response to send. Header names are lower case. */
export interface Reply {
  status: number
  headers: Record<string, string | string[]>
  body: string | Buffer
  /** Sent after the body. */
  stream?: TextStream
}

export const jsonType = 'application/json'

export function jsonReply(status: number, body: unknown, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': jsonType, ...headers },
    body: `${JSON.stringify(body)}\n`,
  }
}

export function textReply(status: number, body: string, type = 'text/plain; charset=utf-8'): Reply {
  return { status, headers: { 'content-type': type }, body }
}

/** Answers `OPTIONS` with the methods of a path, and refuses a method that is none of them. */
export function optionsReply(method: string, allow: readonly string[]): Reply {
  if (method !== 'OPTIONS') throw new MethodRefused(method, allow)
  return { status: 204, headers: { allow: allow.join(', ') }, body: '' }
}

interface RequestIdentity {
  requestId: string
  request: { headers: IncomingHttpHeaders }
}

/** Returns a fault as `application/problem+json` (RFC 9457). */
export function problemReply(
  fault: Fault,
  { requestId, request }: RequestIdentity,
  headers: Reply['headers'] = {},
): Reply {
  const problem = acceptsMessages(request.headers) ? keyedProblemFrom : problemFrom
  return {
    status: statusOf[fault.code],
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...retryHeaders(fault),
      ...headers,
    },
    body: `${JSON.stringify(problem(fault, requestId))}\n`,
  }
}
