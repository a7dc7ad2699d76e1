/** What sockets may cost. A bench or a test lifts what it is not about. */
export interface SocketLimits {
  /** Of one message from a client. */
  messageBytes: number
  messagesPerSecond: number
  /** How many messages may come at once, as they do when a page opens. */
  messageBurst: number
  connectionInitMs: number
  /** Connections that have not said yet who they are. */
  strangers: number
  socketsPerUser: number
  socketsPerTenant: number
  /** Running at once on one socket, queries and mutations included. */
  subscriptions: number
  /** Results waiting for one member of a shared execution. */
  queuedResults: number
  /** Waiting for one socket altogether. */
  bufferedBytes: number
  /** A peer that has said nothing between two pings is gone: noticed within twice this. */
  pingMs: number
  recheckMs: number
  /** How long a peer may take to say goodbye. */
  closeMs: number
}

export const socketLimits: SocketLimits = {
  messageBytes: 64 * 1024,
  messagesPerSecond: 20,
  messageBurst: 60,
  connectionInitMs: 3_000,
  strangers: 500,
  socketsPerUser: 10,
  socketsPerTenant: 200,
  subscriptions: 50,
  queuedResults: 256,
  bufferedBytes: 1024 * 1024,
  pingMs: 25_000,
  recheckMs: 10_000,
  closeMs: 2_000,
}
