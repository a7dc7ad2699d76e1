import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  subscribe,
} from 'graphql'
import { type OperationResult, type ServerOptions, type SubscribePayload } from 'graphql-ws'
import { newId } from '../../runtime/ids.ts'
import { DocumentRefused, type Prepared } from '../graphql/execute.ts'
import { faultFrom } from '../http/faults.ts'
import { type FanOut } from './fan-out.ts'
import { type Caller, type Session } from './session.ts'
import { type SocketLimits } from './socket-limits.ts'
import { socketCloseReasons } from './wire.ts'

export interface OperationParts {
  schema: GraphQLSchema
  /** Parses, validates and compiles a document by the same rules as over HTTP. */
  prepare: (text: string, operationName?: string) => Prepared
  /** Formats an error as over HTTP, and logs it when it is a bug. */
  formatError: (error: GraphQLError, requestId: string) => GraphQLFormattedError
  limits: SocketLimits
}

type Params = Record<string, unknown>
type Hooks = Pick<
  ServerOptions<Params, Session>,
  'onSubscribe' | 'onError' | 'onNext' | 'execute' | 'subscribe'
>

/** The state of an operation that graphql-ws does not pass from hook to hook. */
interface RunningOperation {
  prepared: Prepared
  requestId: string
  /** Joins the shared execution. Returns null when the operation must run on its own. */
  join: () => OperationResult | null
}

const maxIdLength = 128
const maxDepth = 20

/** Returns the hooks that admit, run and answer an operation of a socket. */
export function operationHooks(parts: OperationParts, fanOut: FanOut): Hooks {
  const requestIds = new WeakMap<SubscribePayload, string>()
  const running = new WeakMap<ExecutionArgs, RunningOperation>()
  const requestIdOf = (payload: SubscribePayload): string => requestIds.get(payload) ?? ''

  return {
    async onSubscribe({ extra: session, subscriptions }, id, payload) {
      requestIds.set(payload, newId())
      const { wire, caller } = session
      if (!caller) return closedWith(wire, socketCloseReasons.unauthorized)
      if (id.length > maxIdLength || depthOf(payload.variables) > maxDepth)
        return closedWith(wire, socketCloseReasons.badMessage)
      // Both counts are checked, because a client may forget an operation that still runs here.
      if (Math.max(Object.keys(subscriptions).length, wire.running) > parts.limits.subscriptions)
        return closedWith(wire, socketCloseReasons.tooMany)
      try {
        const { args, ...known } = await admit(parts, fanOut, {
          caller,
          wire,
          id,
          payload,
          requestId: requestIdOf(payload),
        })
        running.set(args, known)
        return args
      } catch (error) {
        if (error instanceof DocumentRefused) return [...error.complaints]
        const fault = faultFrom(error)
        if (fault.code === 'unauthenticated') wire.close(socketCloseReasons.unauthorized)
        return [new GraphQLError(fault.message, { originalError: fault })]
      }
    },
    execute: (args) => {
      const known = running.get(args)
      return known
        ? known.prepared.executable().run(args.contextValue, args.variableValues ?? {})
        : failNotAdmitted()
    },
    subscribe: (args) => running.get(args)?.join() ?? subscribe(args),
    onNext(...[, , payload, , result]) {
      const { errors } = result
      // Without errors the library's own path is faster.
      if (!errors) return
      return {
        ...result,
        errors: errors.map((error) => parts.formatError(error, requestIdOf(payload))),
      }
    },
    onError: (...[, , payload, errors]) =>
      errors.map((error) => parts.formatError(error, requestIdOf(payload))),
  }
}

interface OperationRequest {
  caller: Caller
  wire: Session['wire']
  id: string
  payload: SubscribePayload
  requestId: string
}

async function admit(
  parts: OperationParts,
  fanOut: FanOut,
  operation: OperationRequest,
): Promise<RunningOperation & { args: ExecutionArgs }> {
  const { caller, wire, id, payload, requestId } = operation
  // The caller pays before its document is parsed.
  const { context, sharedContext, rights } = await caller.authorizeOperation(
    requestId,
    payload.extensions ?? {},
  )
  const prepared = parts.prepare(payload.query, payload.operationName ?? undefined)
  const { document, operationName } = prepared
  const args: ExecutionArgs = {
    schema: parts.schema,
    document,
    contextValue: context,
    variableValues: payload.variables ?? {},
    operationName: operationName ?? null,
  }
  const join = (): OperationResult | null =>
    fanOut.join({ args, query: payload.query, rights, sharedContext, wire, id })
  return { args, prepared, requestId, join }
}

/** Closes the socket. The library requires an error, which a closing socket does not send. */
function closedWith(
  wire: Session['wire'],
  why: Parameters<Session['wire']['close']>[0],
): GraphQLError[] {
  wire.close(why)
  return [new GraphQLError('The socket is closed.')]
}

function failNotAdmitted(): never {
  throw new TypeError('an operation was run without being admitted')
}

function depthOf(value: unknown, budget = maxDepth): number {
  if (typeof value !== 'object' || value === null || budget < 0) return 0
  return 1 + Math.max(0, ...Object.values(value).map((child) => depthOf(child, budget - 1)))
}
