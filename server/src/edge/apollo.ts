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
import { placedMessages } from '../engine/graphql/placed-messages.ts'
import { faultFrom, statusOf } from '../engine/http/faults.ts'
import { type ErrorWords, graphErrorFrom, logBug } from '../engine/graphql/graph-errors.ts'
import { type GraphRequest } from './graphql/context.ts'
import { documentRules } from '../engine/graphql/limits.ts'

export interface GraphOptions {
  schema: GraphQLSchema
  log: Log
  introspection: boolean
  pageCap: number
}

/**
 * Apollo Server speaks the protocol (methods, content types, CSRF, persisted documents, error
 * shapes); what runs the documents is ours: compiled once per text. Its cache control plugin is off
 * because it wraps every field and doubles the cost of a list.
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
      executing({ schema, log, introspection }),
      refusals(log),
    ],
    formatError: (formatted, thrown) => formatError(formatted, thrown, introspection),
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (text: string) => log.warn(text),
      error: (text: string) => log.error(text),
    },
  })
}

/**
 * Runs the document in Apollo's stead. As a plugin and not as a gateway: for a gateway Apollo makes
 * an object with accessors of its own for every request, each of which is a hidden class to V8, and
 * what those hold lives until the next full collection.
 */
function executing({
  schema,
  log,
  introspection,
}: Omit<GraphOptions, 'pageCap'>): ApolloServerPlugin<GraphRequest> {
  const compiled = new DocumentCache<Executable>(1_000)
  return {
    requestDidStart: () =>
      Promise.resolve({
        async responseForOperation({ document, operationName, queryHash, request, contextValue }) {
          const telling = {
            log,
            introspection,
            requestId: contextValue.requestId,
            wantsMessages: request.http?.headers.has(messagesHeader) ?? false,
          }
          // Which operation is meant is unclear, whatever the type of the context says: Apollo has
          // the words for it.
          const operation = getOperationAST(document, request.operationName)
          if (!operation) return null
          if (operation.operation === OperationTypeNode.SUBSCRIPTION)
            return responseTo({ errors: [overSocketOnly()] }, telling)
          const executable = compiled.get(`${queryHash} ${operationName ?? ''}`, () =>
            compileDocument(schema, document, operationName ?? undefined),
          )
          return responseTo(await executable.run(contextValue, request.variables ?? {}), telling)
        },
      }),
  }
}

interface Telling extends ErrorWords {
  log: Log
  wantsMessages: boolean
}

function responseTo(
  { data, errors }: ExecutionResult,
  { log, wantsMessages, ...words }: Telling,
): GraphQLResponse {
  const http: HTTPGraphQLHead = { headers: new HeaderMap(), status: undefined }
  const extensions = wantsMessages ? { extensions: { messages: placedMessages(data) } } : {}
  if (!errors)
    return { http, body: { kind: 'single', singleResult: { data: data ?? null, ...extensions } } }
  for (const error of errors) logBug(log, error, words.requestId)
  const formatted = errors.map((error) => graphErrorFrom(error, words))
  // Without data nothing has run: it is a variable that does not fit.
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
  new GraphQLError('Subscriptions are answered over the WebSocket of this address.', {
    extensions: { code: 'query_refused' },
  })

/** Apollo does not know the request's id here; `refusals` puts it in. */
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
 * Puts the request id into every error, sets the status that a proxy or a script can act on, and
 * logs bugs whole.
 */
function refusals(log: Log): ApolloServerPlugin<GraphRequest> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        didEncounterErrors({ errors, contextValue }) {
          for (const error of errors) logBug(log, error, contextValue.requestId)
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

const toldByStatus = new Set([401, 403, 429, 503])

function setStatus(http: HTTPGraphQLHead, first: GraphQLError | undefined): void {
  if (!first?.originalError) return
  const fault = faultFrom(first.originalError)
  const status = statusOf[fault.code]
  if (toldByStatus.has(status)) http.status = status
  if (fault.retryAfterSeconds !== undefined)
    http.headers.set('retry-after', String(Math.max(1, Math.ceil(fault.retryAfterSeconds))))
}
