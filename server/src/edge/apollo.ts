import {
  ApolloServer,
  type ApolloServerPlugin,
  type GraphQLResponse,
  type HTTPGraphQLHead,
  HeaderMap,
} from '@apollo/server'
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled'
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
  getOperationAST,
} from 'graphql'
import { type Log } from '../runtime/log.ts'
import { DocumentCache, maxCachedLength } from '../engine/graphql/document-cache.ts'
import { type Executable, compileDocument, interpretDocument } from '../engine/graphql/execute.ts'
import { ParsedDocuments } from '../engine/graphql/parsed-documents.ts'
import { messagesHeader } from '../engine/http/messages-header.ts'
import { locatedMessages } from '../engine/graphql/located-messages.ts'
import { faultFrom, statusOf } from '../engine/http/faults.ts'
import {
  type ErrorFormatOptions,
  graphErrorFrom,
  logUnexpected,
} from '../engine/graphql/graph-errors.ts'
import { type GraphRequest } from './graphql/context.ts'
import { documentRules, limits } from '../engine/graphql/limits.ts'

export interface GraphOptions {
  schema: GraphQLSchema
  log: Log
  introspection: boolean
  pageCap: number
  /** The callers. Documents of callers without a login are neither cached nor compiled. */
  audience: 'users' | 'strangers'
}

const tellDevelopers = 'report the text to the developers of Berth'

/**
 * The headers that only a script can set, after a preflight. A GET with one of them is no CSRF.
 * Berth reads no password from `Authorization`, which a browser could add by itself.
 */
const scriptHeaders = [
  'x-apollo-operation-name',
  'apollo-require-preflight',
  'authorization',
  'x-api-key',
]

/**
 * Apollo Server implements the protocol: methods, content types, CSRF, persisted documents, error
 * shapes. Berth's own executor runs the documents and compiles each once. The cache control
 * plugin is off because it wraps every field and doubles the cost of a list.
 */
export function apolloOn({
  schema,
  log,
  introspection,
  pageCap,
  audience,
}: GraphOptions): ApolloServer<GraphRequest> {
  const isOfStrangers = audience === 'strangers'
  return new ApolloServer<GraphRequest>({
    schema,
    introspection,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !introspection,
    ...documentRules({
      pageCap,
      introspection,
      maxTokens: isOfStrangers ? limits.strangerTokens : limits.tokens,
    }),
    documentStore: isOfStrangers ? null : new ParsedDocuments(),
    allowBatchedHttpRequests: false,
    csrfPrevention: { requestHeaders: scriptHeaders },
    stopOnTerminationSignals: false,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      executor({
        log,
        introspection,
        executableOf: isOfStrangers
          ? ({ document, operationName }) => interpretDocument(schema, document, operationName)
          : compiler(schema),
      }),
      errorResponses(log),
    ],
    formatError: (formatted, thrown) => formatError(formatted, thrown, introspection),
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (text: string) =>
        log.warn('graphql.apollo_warning', {
          text,
          effect: 'none',
          remedy: `none, unless it repeats: ${tellDevelopers}`,
        }),
      error: (text: string) =>
        log.error('graphql.apollo_error', {
          text,
          effect: 'a GraphQL request may have failed; Berth keeps running',
          remedy: tellDevelopers,
        }),
    },
  })
}

/**
 * Berth runs the document itself, in a plugin. For a gateway, Apollo would create an object with
 * accessors in each request, and V8 frees those late.
 */
function executor({
  log,
  introspection,
  executableOf,
}: Pick<GraphOptions, 'log' | 'introspection'> & {
  executableOf: (chosen: ChosenOperation) => Executable
}): ApolloServerPlugin<GraphRequest> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        async responseForOperation({ document, operationName, queryHash, request, contextValue }) {
          const errorContext = {
            log,
            introspection,
            requestId: contextValue.requestId,
            includesMessages: request.http?.headers.has(messagesHeader) ?? false,
            isSpecified: request.http?.headers.get('accept')?.includes(specifiedMedia) ?? false,
          }
          // A document without operation, or with several and no chosen name, is refused by Apollo.
          const operation = getOperationAST(document, request.operationName)
          if (!operation) return null
          if (operation.operation === OperationTypeNode.SUBSCRIPTION)
            return responseTo({ errors: [overSocketOnly()] }, errorContext)
          const executable = executableOf({
            document,
            operationName: operationName ?? undefined,
            queryHash,
          })
          return responseTo(
            await executable.run(contextValue, request.variables ?? {}),
            errorContext,
          )
        },
      }),
  }
}

interface ChosenOperation {
  document: DocumentNode
  operationName: string | undefined
  queryHash: string | undefined
}

/** Compiles each document once. A text that is too long for the cache is interpreted. */
function compiler(schema: GraphQLSchema): (chosen: ChosenOperation) => Executable {
  const compiled = new DocumentCache<Executable>()
  return ({ document, operationName, queryHash }) => {
    const length = document.loc?.source.body.length ?? 0
    return length > maxCachedLength
      ? interpretDocument(schema, document, operationName)
      : compiled.get(`${queryHash} ${operationName ?? ''}`, length, () =>
          compileDocument(schema, document, operationName),
        )
  }
}

/** GraphQL over HTTP demands a status of 2xx for this media type when there is data. */
const specifiedMedia = 'application/graphql-response+json'

interface ErrorContext extends ErrorFormatOptions {
  log: Log
  includesMessages: boolean
  /** True when the client accepts the media type of the specification. */
  isSpecified: boolean
}

function responseTo(
  { data, errors }: ExecutionResult,
  { log, includesMessages, isSpecified, ...errorOptions }: ErrorContext,
): GraphQLResponse {
  const http: HTTPGraphQLHead = { headers: new HeaderMap(), status: undefined }
  const extensions = includesMessages ? { extensions: { messages: locatedMessages(data) } } : {}
  if (!errors)
    return { http, body: { kind: 'single', singleResult: { data: data ?? null, ...extensions } } }
  for (const error of errors) logUnexpected(log, error, errorOptions.requestId)
  const formatted = errors.map((error) => graphErrorFrom(error, errorOptions))
  // The executor leaves data out only when a variable has the wrong type, so nothing ran.
  if (data === undefined)
    return {
      http: { ...http, status: 400 },
      body: { kind: 'single', singleResult: { errors: formatted } },
    }
  if (!(isSpecified ? data : hasResult(data))) setStatus(http, errors[0])
  return {
    http,
    body: { kind: 'single', singleResult: { errors: formatted, data, ...extensions } },
  }
}

/** False when no field of the document has a result, so the first error is the whole answer. */
const hasResult = (data: ExecutionResult['data']): boolean =>
  Object.values(data ?? {}).some((result) => result !== null)

const overSocketOnly = (): GraphQLError =>
  new GraphQLError('Subscriptions work only over a WebSocket, at the same URL.', {
    extensions: { code: 'query_refused' },
  })

/** Apollo does not know the request id here; `errorResponses` adds it. */
function formatError(
  formatted: GraphQLFormattedError,
  thrown: unknown,
  introspection: boolean,
): GraphQLFormattedError {
  const error =
    thrown instanceof GraphQLError
      ? thrown
      : new GraphQLError(formatted.message, {
          originalError: thrown instanceof Error ? thrown : null,
        })
  return graphErrorFrom(error, { requestId: '', introspection })
}

/**
 * Adds the request id to every error, sets a status that proxies and scripts can act on, and logs
 * bugs in full.
 */
function errorResponses(log: Log): ApolloServerPlugin<GraphRequest> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        didEncounterErrors({ errors, contextValue }) {
          for (const error of errors) logUnexpected(log, error, contextValue.requestId)
          return Promise.resolve()
        },
        willSendResponse({ response, contextValue, errors }) {
          if (response.body.kind !== 'single' || !response.body.singleResult.errors)
            return Promise.resolve()
          for (const error of response.body.singleResult.errors)
            if (error.extensions) error.extensions.requestId = contextValue.requestId
          if (!response.body.singleResult.data) setStatus(response.http, errors?.[0])
          return Promise.resolve()
        },
      }),
  }
}

const reportedStatuses = new Set([401, 403, 429, 503])

function setStatus(http: HTTPGraphQLHead, first: GraphQLError | undefined): void {
  if (!first?.originalError) return
  const fault = faultFrom(first.originalError)
  const status = statusOf[fault.code]
  if (reportedStatuses.has(status)) http.status = status
  if (fault.retryAfterSeconds !== undefined)
    http.headers.set('retry-after', String(Math.max(1, Math.ceil(fault.retryAfterSeconds))))
}
