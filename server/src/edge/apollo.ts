import { ApolloServer, type ApolloServerPlugin, type HTTPGraphQLHead } from '@apollo/server'
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled'
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  OperationTypeNode,
  getOperationAST,
} from 'graphql'
import { type Fault } from '../domain/fault.ts'
import { type Log } from '../runtime/log.ts'
import { DocumentCache } from './document-cache.ts'
import { type Executable, compileDocument } from './execute.ts'
import { faultFrom, faultTable } from './faults.ts'
import { graphErrorFrom, logBug } from './graph-errors.ts'
import { type GraphRequest } from './graphql/context.ts'
import { documentRules } from './limits.ts'

export interface GraphOptions {
  schema: GraphQLSchema
  log: Log
  introspection: boolean
  pageCap: number
}

/**
 * Apollo Server speaks the protocol (methods, content types, CSRF, persisted documents, error shapes); what runs the
 * documents is ours: compiled once per text. Its cache control plugin is off because it wraps every field and doubles
 * the cost of a list.
 */
export function apolloOn({ schema, log, introspection, pageCap }: GraphOptions): ApolloServer<GraphRequest> {
  const compiled = new DocumentCache<Executable>(1_000)
  return new ApolloServer<GraphRequest>({
    gateway: {
      load: () => Promise.resolve({ executor: executorOn(schema, compiled) }),
      onSchemaLoadOrUpdate(loaded) {
        loaded({ apiSchema: schema, coreSupergraphSdl: '' })
        return () => undefined
      },
      stop: () => Promise.resolve(),
    },
    introspection,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !introspection,
    ...documentRules({ pageCap, introspection }),
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    stopOnTerminationSignals: false,
    plugins: [ApolloServerPluginCacheControlDisabled(), refusals(log)],
    formatError: (formatted, thrown) => formatError(formatted, thrown, introspection),
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (text: string) => log.warn(text),
      error: (text: string) => log.error(text),
    },
  })
}

interface Execution {
  document: DocumentNode
  queryHash: string
  operationName: string | null
  request: { variables?: Record<string, unknown> }
  /** Apollo types a gateway's context as a record of anything; the resolvers know what it is. */
  context: unknown
}

function executorOn(schema: GraphQLSchema, compiled: DocumentCache<Executable>) {
  return async ({ document, queryHash, operationName, request, context }: Execution) => {
    const key = `${queryHash} ${operationName ?? ''}`
    if (getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION) return { errors: [overSocketOnly()] }
    const executable = compiled.get(key, () => compileDocument(schema, document, operationName ?? undefined))
    return executable.run(context, request.variables ?? {})
  }
}

const overSocketOnly = (): GraphQLError =>
  new GraphQLError('Subscriptions are answered over the WebSocket of this address.', { extensions: { code: 'query_refused' } })

/** Apollo does not know the request's id here; `refusals` puts it in. */
function formatError(formatted: GraphQLFormattedError, thrown: unknown, introspection: boolean): GraphQLFormattedError {
  const error =
    thrown instanceof GraphQLError
      ? thrown
      : new GraphQLError(formatted.message, { originalError: thrown instanceof Error ? thrown : null })
  return graphErrorFrom(error, { requestId: '', introspection })
}

/** Puts the request id into every error, sets the status that a proxy or a script can act on, and logs bugs whole. */
function refusals(log: Log): ApolloServerPlugin<GraphRequest> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        didEncounterErrors({ errors, contextValue }) {
          for (const error of errors) logBug(log, error, contextValue.requestId)
          return Promise.resolve()
        },
        willSendResponse({ response, contextValue, errors }) {
          if (response.body.kind !== 'single' || !response.body.singleResult.errors) return Promise.resolve()
          for (const error of response.body.singleResult.errors) if (error.extensions) error.extensions.requestId = contextValue.requestId
          const [first] = errors ?? []
          if (!response.body.singleResult.data && first?.originalError) setStatus(response.http, faultFrom(first.originalError))
          return Promise.resolve()
        },
      }),
  }
}

const telling = new Set([401, 403, 429, 503])

function setStatus(http: HTTPGraphQLHead, fault: Fault): void {
  const { status } = faultTable[fault.code]
  if (telling.has(status)) http.status = status
  if (fault.retryAfterSeconds !== undefined) http.headers.set('retry-after', String(Math.max(1, Math.ceil(fault.retryAfterSeconds))))
}
