import { type IncomingMessage } from 'node:http'
import { type Wire } from './wire.ts'

/** The execution context of one operation. */
export interface OperationContext {
  context: unknown
  /** Equal for callers with the same permissions. */
  rights: string
  /** The context of a shared execution: the same permissions, but no user. */
  sharedContext: unknown
}

/** The authenticated caller of a socket. */
export interface Caller {
  userId: string
  tenantId: string | null
  /**
   * Charges the operation to its caller, rechecks the credential, and returns the context, so that
   * no operation runs with revoked permissions.
   */
  authorizeOperation(
    requestId: string,
    extensions: Readonly<Record<string, unknown>>,
  ): Promise<OperationContext>
  /**
   * Rechecks whether the credential is valid and has the same permissions as when the socket was
   * opened.
   */
  checkCredential(): Promise<'good' | 'ended' | 'changed'>
}

/** Authenticates a caller from its first message. Throws a fault when it may not connect. */
export type Identify = (
  connectionParams: Readonly<Record<string, unknown>>,
  request: IncomingMessage,
) => Promise<Caller>

/** One socket and its caller, which is null until the first message is accepted. */
export interface Session {
  wire: Wire
  request: IncomingMessage
  /** Ends the time in which it counts as unauthenticated. */
  becomesKnown: () => void
  caller: Caller | null
}
