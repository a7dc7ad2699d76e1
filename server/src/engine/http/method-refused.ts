import { type Message, messageOf } from '../model/message.ts'

/**
 * The path exists, but not for the HTTP method of the request. The response has status 405 and
 * lists the allowed methods.
 */
export class MethodRefused extends Error {
  readonly userMessage: Message
  readonly allow: readonly string[]

  constructor(method: string, allow: readonly string[]) {
    const userMessage = messageOf('request.method_refused', { method, allowed: allow })
    super(userMessage.toString())
    this.userMessage = userMessage
    this.name = 'MethodRefused'
    this.allow = allow
  }
}
