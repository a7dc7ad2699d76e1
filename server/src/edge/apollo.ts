import {
  ApolloServer,
  type ApolloServerPlugin,
  type GraphQLResponse,
  type HTTPGraphQLHead,
  HeaderMap,
} from '@apollo/server'
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled'
import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
  getOperationAST,
} from 'graphql'
import { type Log } from '../runtime/log.ts'
import { DocumentCache } from '../engine/graphql/document-cache.ts'
import { type Executable, compileDocument } from '../engine/graphql/execute.ts'
import { messagesHeader } from '../engine/http/messages-header.ts'
import { locatedMessages } from '../engine/graphql/located-messages.ts'
import { faultFrom, statusOf } from '../engine/http/faults.ts'
import {
  type ErrorFormatOptions,
  graphErrorFrom,
  logUnexpected,
} from '../engine/graphql/graph-errors.ts'
import { type GraphRequest } from './graphql/context.ts'
import { documentRules } from '../engine/graphql/limits.ts'

export interface GraphOptions {
  schema: GraphQLSchema
  log: Log
  introspection: boolean
  pageCap: number
}

const tellDevelopers = 'report the text to the developers of Berth'

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
}: GraphOptions): ApolloServer<GraphRequest> {
  return new ApolloServer<GraphRequest>({
    schema,
    introspection,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !introspection,
    ...documentRules({ pageCap, introspection }),
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    stopOnTerminationSignals: false,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      executor({ schema, log, introspection }),
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
  schema,
  log,
  introspection,
}: Omit<GraphOptions, 'pageCap'>): ApolloServerPlugin<GraphRequest> {
  const compiled = new DocumentCache<Executable>(1_000)
  return {
    requestDidStart: () =>
      Promise.resolve({
        async responseForOperation({ document, operationName, queryHash, request, contextValue }) {
          const errorContext = {
            log,
            introspection,
            requestId: contextValue.requestId,
            includesMessages: request.http?.headers.has(messagesHeader) ?? false,
          }
          // A document without operation, or with several and no chosen name, is refused by Apollo.
          const operation = getOperationAST(document, request.operationName)
          if (!operation) return null
          if (operation.operation === OperationTypeNode.SUBSCRIPTION)
            return responseTo({ errors: [overSocketOnly()] }, errorContext)
          const executable = compiled.get(`${queryHash} ${operationName ?? ''}`, () =>
            compileDocument(schema, document, operationName ?? undefined),
          )
          return responseTo(
            await executable.run(contextValue, request.variables ?? {}),
            errorContext,
          )
        },
      }),
  }
}

interface ErrorContext extends ErrorFormatOptions {
  log: Log
  includesMessages: boolean
}

function responseTo(
  { data, errors }: ExecutionResult,
  { log, includesMessages, ...errorOptions }: ErrorContext,
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
  if (!data) setStatus(http, errors[0])
  return {
    http,
    body: { kind: 'single', singleResult: { errors: formatted, data, ...extensions } },
  }
}

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
