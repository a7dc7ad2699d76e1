import { type IncomingMessage } from 'node:http'
import { type Wire } from './wire.ts'

/** What one operation of a caller runs with. */
export interface Asked {
  context: unknown
  /** Equal for callers who see and may do the same. */
  rights: string
  /** The context of a shared execution: the same rights, nobody in particular. */
  sharedContext: unknown
}

/** Who speaks on a socket, as the first message has shown. */
export interface Caller {
  userId: string
  tenantId: string | null
  /**
   * Looks the credential up again, so that an operation never runs with rights that have been taken
   * away.
   */
  ask(requestId: string, extensions: Readonly<Record<string, unknown>>): Promise<Asked>
  /** Whether the credential still holds and means the same rights as when the socket was opened. */
  standing(): Promise<'good' | 'ended' | 'changed'>
}

/** From what the client said first; throws a fault for everybody who is not welcome. */
export type Identify = (
  connectionParams: Readonly<Record<string, unknown>>,
  request: IncomingMessage,
) => Promise<Caller>

/** One socket and who speaks on it; nobody until the first message has been understood. */
export interface Session {
  wire: Wire
  request: IncomingMessage
  caller: Caller | null
}
