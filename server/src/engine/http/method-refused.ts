import { type Message, messageOf } from '../model/message.ts'

/** Returns the methods of a path: `HEAD` wherever there is `GET`, and `OPTIONS` everywhere. */
export const allowedMethods = (methods: readonly string[]): string[] => [
  ...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']),
]

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
