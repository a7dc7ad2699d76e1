import { type IncomingHttpHeaders } from 'node:http'

/**
 * A client that renders sentences in the language of its reader sends this header. Its answers name
 * the key and the parameters of each sentence; all other answers stay as they are without them.
 */
export const messagesHeader = 'x-berth-messages'

export const wantsMessages = (headers: IncomingHttpHeaders): boolean =>
  headers[messagesHeader] !== undefined
