import { type Reply } from '../reply.ts'
import { type Schema } from './shapes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What a row sees of a request; everything is parsed and nothing is trusted yet. */
export interface RestInput {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  body: Readonly<Record<string, unknown>>
}

/** The answer of a document: its root fields by name. */
export type Answer = Readonly<Record<string, unknown>>

/**
 * One endpoint: a document on the same schema and how its variables and its answer look on this wire. Fields are renamed
 * in the document itself, by aliases, so a list needs no second pass.
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
  pageOf?: (answer: Answer) => { endCursor: string | null; hasNextPage: boolean } | null
  /** Anybody may call it. */
  public?: boolean
  headers?: Reply['headers']
}

/** Keeps the answer's type beside the document that gives it. */
export function route<A extends object>(
  row: Omit<RestRoute, 'output' | 'pageOf'> & {
    output: (answer: A) => unknown
    pageOf?: (answer: A) => ReturnType<NonNullable<RestRoute['pageOf']>>
  },
): RestRoute {
  // The document's fields are what A names; the contract test of the row compares the two.
  return row as unknown as RestRoute
}
