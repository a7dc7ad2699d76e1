import { type Reply, type TextStream } from '../http/reply.ts'
import { type JobRow } from './later.ts'
import { type Schema } from './shapes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Where a page ends. */
export interface PageInfo {
  endCursor: string | null
  hasNextPage: boolean
}

/** An object whose answer has an `ETag`. */
export interface Versioned {
  version: number
}

/** What a row sees of a request; everything is parsed and nothing is trusted yet. */
export interface RestInput {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  body: Readonly<Record<string, unknown>>
  /** Where a listener stopped before: `Last-Event-ID`. */
  lastEventId: string | null
  /** What the caller last saw of the object, as `If-Match` says; null where it does not matter. */
  ifVersion: number | null
}

/** The answer of a document: its root fields by name. */
export type Answer = Readonly<Record<string, unknown>>

/**
 * One endpoint: a document on the same schema and how its variables and its answer look on this
 * wire. Fields are renamed in the document itself, by aliases, so a list needs no second pass.
 */
export interface RestRoute {
  method: Method
  path: string
  summary: string
  tag: string
  /** The document; its operation name is the endpoint's operation id. */
  run: string
  input: (input: RestInput) => Record<string, unknown>
  output: (answer: Answer) => unknown
  status: number
  /** Body of the request, for those that have one. */
  request?: Schema
  response: Schema | null
  query?: Readonly<Record<string, { description: string; schema: Schema }>>
  /** A list: takes `limit` and `cursor`, and says in `Link` where the next page is. */
  pageOf?: (answer: Answer) => PageInfo | null
  /** Anybody may call it. */
  public?: boolean
  headers?: Reply['headers']
  /** The answer is this text and no JSON. */
  media?: 'text/plain' | 'text/event-stream'
  /** Where a caller may be told what comes, as text, instead of what is. */
  follow?: FollowedAnswer
  /**
   * A single object: its version is the `ETag` of the answer, and a change may name it in
   * `If-Match`.
   */
  versionOf?: (answer: Answer) => number
  /** Where a caller may be answered with the operation instead of the object. */
  later?: LaterAnswer
  /**
   * How long a caller who says nothing about it waits: clients of the older interface take the
   * answer for the end, and go on to what depends on it.
   */
  patienceSeconds?: number
  /** What this wire calls a field of the document otherwise than in snake case. */
  names?: Readonly<Record<string, string>>
}

/** 202: what was asked is on its way, and the operation tells how far. */
export interface LaterAnswer<A = Answer> {
  /** Null where there was nothing to do. */
  operationOf: (answer: A) => JobRow | null
  /** Asked for in the body, as older clients do. */
  isAsked?: (input: RestInput) => boolean
}

/** An answer that goes on, as long as somebody listens. */
export interface FollowedAnswer {
  isAsked: (input: RestInput) => boolean
  /** The subscription, where it is another document than the row's. */
  run?: string
  /** Opens it; what it needs of the site is given. */
  open: (input: RestInput, sources: Sources) => Promise<TextStream>
}

/** What can be followed. */
export interface Sources {
  /** The answers of a subscription, one after the other. */
  subscribe(document: string, variables: Record<string, unknown>): Promise<AsyncIterator<Answer>>
  events(
    after: string | null,
  ): Promise<{ next(): Promise<{ cursor: string; text: string } | null>; close(): void }>
}

/** Keeps the answer's type beside the document that gives it. */
export function route<A extends object>(
  row: Omit<RestRoute, 'output' | 'pageOf' | 'versionOf' | 'later'> & {
    output: (answer: A) => unknown
    pageOf?: (answer: A) => PageInfo | null
    versionOf?: (answer: A) => number
    later?: LaterAnswer<A>
  },
): RestRoute {
  // The document's fields are what A names; the contract test of the row compares the two.
  return row as unknown as RestRoute
}

/** Whether `Prefer: wait=…` is heeded: where the document can wait for the operation. */
export const canWait = ({ run }: Pick<RestRoute, 'run'>): boolean => run.includes('$waitSeconds')

/** Less than the 30 seconds after which older clients give up. */
export const patienceSeconds = 20
