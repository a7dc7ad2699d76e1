import { type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLFormattedError, type GraphQLSchema, subscribe } from 'graphql'
import { type Context, type OperationResult, type ServerOptions, type SubscribePayload } from 'graphql-ws'
import { newId } from '../../runtime/ids.ts'
import { DocumentRefused, type Prepared } from '../execute.ts'
import { faultFrom } from '../faults.ts'
import { FanOut } from './fan-out.ts'
import { type Session } from './session.ts'
import { type SocketLimits } from './socket-limits.ts'
import { closing } from './wire.ts'

export interface OperationParts {
  schema: GraphQLSchema
  /** Parses, checks and compiles a document by the same rules as over HTTP. */
  prepare: (text: string, operationName?: string) => Prepared
  /** Tells an error as over HTTP, and writes it down when it is a bug. */
  formatError: (error: GraphQLError, requestId: string) => GraphQLFormattedError
  limits: SocketLimits
}

type Context_ = Context<Record<string, unknown>, Session>
type Hooks = Pick<ServerOptions<Record<string, unknown>, Session>, 'onSubscribe' | 'onError' | 'onNext' | 'execute' | 'subscribe'>

/** What is known of an operation beside what graphql-ws carries. */
interface Running {
  prepared: Prepared
  requestId: string
  /** Joins the shared execution; null when the operation runs on its own. */
  share: (() => Promise<OperationResult>) | null
}
