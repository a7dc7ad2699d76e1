import { type Reply, type TextStream } from '../http/reply.ts'
import { type OperationRow } from './operation-body.ts'
import { type Schema } from './json-schema.ts'
import { type RequestBody, type SentBody } from './request-body.ts'
import { type QueryTable, type QueryValues } from './request-query.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type TextMedia = 'text/plain' | 'text/event-stream' | 'text/csv' | 'application/x-ndjson'

/** The end of a page. */
export interface PageInfo {
  endCursor: string | null
  hasNextPage: boolean
}

/** An object whose response has an `ETag`. */
export interface Versioned {
  version: number
}

/** A request that fits the tables of its route. */
export interface RestInput {
  params: Readonly<Record<string, string>>
  query: QueryValues
  /** The body as it was sent. */
  sent: SentBody
  /** The input of the mutation that the body stands for. */
  body: Readonly<Record<string, unknown>>
  /** The last event that the client received: `Last-Event-ID`. */
  lastEventId: string | null
}

/** The result of a document: its root fields by name. */
export type DocumentResult = Readonly<Record<string, unknown>>

/**
 * One endpoint: a document on the GraphQL schema, and how REST requests and responses map to it.
 * Aliases in the document rename fields, so a list needs no second pass.
 */
export interface RestRoute {
  method: Method
  path: string
  summary: string
  tag: string
  /** The document; its operation name is the endpoint's operation id. */
  run: string
  input: (input: RestInput) => Record<string, unknown>
  output: (answer: DocumentResult) => unknown
  status: number
  /** The request body. Without it, the route takes none. */
  request?: RequestBody
  response: Schema | null
  /** The path of the object that the row creates, for `Location`. */
  created?: string
  query?: QueryTable
  /** The page of a list, which takes `limit` and `cursor` and returns the next page in `Link`. */
  pageOf?: (answer: DocumentResult) => PageInfo | null
  /** True when the endpoint needs no credential. */
  public?: boolean
  headers?: Reply['headers']
  /** The media types of a text response; without them the response is JSON. */
  media?: readonly [TextMedia, ...TextMedia[]]
  /** Lets a caller receive the response in parts, such as future events. */
  stream?: StreamedResponse
  /** The version of a single object: its `ETag`, which a change may name in `If-Match`. */
  versionOf?: (answer: DocumentResult) => number
  /** True when the input of the mutation has `ifVersion`, for `If-Match`. */
  takesVersion?: true
  /** Lets a caller get the operation instead of the object. */
  accepted?: AcceptedResponse
  /**
   * The default wait. Clients of the older interface expect a finished operation and continue with
   * requests that depend on it.
   */
  defaultWaitSeconds?: number
  /** The REST names of variables that are no fields of the body. */
  names?: Readonly<Record<string, string>>
}

/** A 202 response: the request is accepted, and the operation reports its progress. */
export interface AcceptedResponse<A = DocumentResult> {
  /** Returns null when there was nothing to do. */
  operationOf: (answer: A) => OperationRow | null
}

/** Limits the streams of a route. Routes with the same object count together. */
export interface StreamLimits {
  /** When a stream ends at the latest. Absent when it may stay open. */
  longestMs?: number
  /** The most streams that one user may have open on one replica. Absent when there is no limit. */
  perUser?: number
}

/** A response that streams until it is complete or the client disconnects. */
export interface StreamedResponse {
  isRequested: (input: RestInput) => boolean
  /** The document that the stream reads when it differs from the row's document. */
  run?: string
  /** The media type of this response, when the row has several. */
  mediaFor?: (input: RestInput) => TextMedia
  /** The headers of this response beside those of the row. */
  headersFor?: (input: RestInput) => Reply['headers']
  /** Sent from time to time, so that no proxy considers a quiet stream dead. */
  keepAlive?: string
  limits?: StreamLimits
  /** Opens the stream from the given sources. */
  open: (input: RestInput, sources: StreamSources) => Promise<TextStream>
}

/** The sources that a streamed response can read. */
export interface StreamSources {
  /** Runs the row's document, or the one of its stream, as the caller. */
  run(document: string, variables: Record<string, unknown>): Promise<DocumentResult>
  /** Yields the results of a subscription in order. */
  subscribe(
    document: string,
    variables: Record<string, unknown>,
  ): Promise<AsyncIterator<DocumentResult>>
  events(
    after: string | null,
  ): Promise<{ next(): Promise<{ cursor: string; text: string } | null>; close(): void }>
}

/** Declares a route and keeps the type of the result beside its document. */
export function route<A extends object>(
  row: Omit<RestRoute, 'output' | 'pageOf' | 'versionOf' | 'accepted'> & {
    output: (answer: A) => unknown
    pageOf?: (answer: A) => PageInfo | null
    versionOf?: (answer: A) => number
    accepted?: AcceptedResponse<A>
  },
): RestRoute {
  // `A` describes the fields of the document; the contract test of the row compares the two.
  return row as unknown as RestRoute
}

/** True when the route honors `Prefer: wait=…`: its document can wait for the operation. */
export const canWait = ({ run }: Pick<RestRoute, 'run'>): boolean => run.includes('$waitSeconds')

/** Below the 30 seconds after which clients of the older interface give up. */
export const defaultWaitSeconds = 20
