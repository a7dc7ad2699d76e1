/** Resource limits of sockets. A benchmark or test raises the limits that it does not test. */
export interface SocketLimits {
  /** The largest message of a client. */
  messageBytes: number
  messagesPerSecond: number
  /** The most messages in a burst, such as when a page opens. */
  messageBurst: number
  connectionInitMs: number
  /** The most connections that are not authenticated yet. */
  unauthenticatedSockets: number
  /** The most of them from one network, so that one network leaves room for other networks. */
  unauthenticatedPerNetwork: number
  socketsPerUser: number
  socketsPerTenant: number
  /** The most running operations of one socket, queries and mutations included. */
  subscriptions: number
  /** The most queued results of one member of a shared execution. */
  queuedResults: number
  /** The most bytes that wait for one socket. */
  bufferedBytes: number
  /**
   * The ping interval. A peer that sends nothing between two pings is dead, so death is noticed
   * within two intervals.
   */
  pingMs: number
  recheckMs: number
  /** How long a peer may take to answer the close frame. */
  closeMs: number
}

export const socketLimits: SocketLimits = {
  messageBytes: 64 * 1024,
  messagesPerSecond: 20,
  messageBurst: 60,
  connectionInitMs: 3_000,
  unauthenticatedSockets: 500,
  unauthenticatedPerNetwork: 100,
  socketsPerUser: 10,
  socketsPerTenant: 200,
  subscriptions: 50,
  queuedResults: 256,
  bufferedBytes: 1024 * 1024,
  pingMs: 25_000,
  recheckMs: 10_000,
  closeMs: 2_000,
}
