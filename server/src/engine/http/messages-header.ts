import { type IncomingHttpHeaders } from 'node:http'

/**
 * A client that renders messages in the user's language sends this header. Its responses contain
 * the key and parameters of each message; all other responses are unchanged.
 */
export const messagesHeader = 'x-berth-messages'

export const acceptsMessages = (headers: IncomingHttpHeaders): boolean =>
  headers[messagesHeader] !== undefined
