import { Fault, type FaultField } from '../model/fault.ts'
import { invalidInput } from '../model/invalid-input.ts'
import { faultFrom } from './faults.ts'
import { type Message, textMessage } from '../model/message.ts'

/**
 * Renames the fields in a fault to their REST names, because REST callers do not know the GraphQL
 * names. `names` has the REST name of each field of the input.
 */
export function inWireNames(thrown: unknown, names: Readonly<Record<string, string>>): Error {
  const fault = faultFrom(thrown)
  const fields = fault.fields.map((field) => wireField(field, names))
  const { retryAfterSeconds, cause } = fault
  const sentence =
    fault.code === 'invalid_input' && fields.length > 0
      ? invalidInput(fields).userMessage
      : inWireWords(fault.userMessage, names)
  if (fields.length === 0 && sentence === fault.userMessage)
    return thrown instanceof Error ? thrown : fault
  return new Fault(fault.code, sentence, {
    fields,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}

const wireField = (
  { path, message }: FaultField,
  names: Readonly<Record<string, string>>,
): FaultField => ({
  path: path.replaceAll(/[A-Za-z]+/g, (name) => names[name] ?? name),
  message: inWireWords(message, names),
})

/** Only words in camel case are certainly names; `first` may be a word of the sentence. */
function inWireWords(message: Message, names: Readonly<Record<string, string>>): Message {
  const text = message.toString()
  const renamed = text.replaceAll(/\b[a-z]+[A-Z][A-Za-z]*/g, (name) => names[name] ?? name)
  return renamed === text ? message : textMessage(renamed)
}
