import { type Message, messageOf } from '../model/message.ts'

/** The path exists, but not for the HTTP method of the request. `http.ts` answers with 405. */
export class MethodRefused extends Error {
  readonly userMessage: Message
  readonly allowed: readonly string[]

  constructor(method: string, allowed: readonly string[]) {
    const userMessage = messageOf('request.method_refused', { method, allowed })
    super(userMessage.toString())
    this.userMessage = userMessage
    this.name = 'MethodRefused'
    this.allowed = allowed
  }
}
