import { Fault } from '../model/fault.ts'
import { faultFrom } from './faults.ts'
import { textMessage } from '../model/message.ts'

const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Every name in the variables of a document, also inside of objects and lists. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [name, ...namesIn(child)])
}

export interface Asked {
  variables: object
  /** What this wire calls a field otherwise than in snake case. */
  names: Readonly<Record<string, string>>
}

/**
 * A refusal speaks of fields as the document calls them; the caller of the older interface knows
 * them by other names. Only words that are names of what was asked are touched: the rest of the
 * sentence is about things that people gave names to.
 */
export function inWireNames(thrown: unknown, { variables, names }: Asked): Error {
  const fault = faultFrom(thrown)
  if (fault.fields.length === 0) return thrown instanceof Error ? thrown : fault
  const known = new Set(namesIn(variables))
  const wireName = (word: string): string => (known.has(word) ? (names[word] ?? snake(word)) : word)
  const told = (text: string): string => text.replaceAll(/[A-Za-z]+/g, wireName)
  const fields = fault.fields.map(({ path, message }) => ({
    path: told(path),
    message: textMessage(told(message.toString())),
  }))
  const { retryAfterSeconds, cause } = fault
  return new Fault(fault.code, textMessage(told(fault.message)), {
    fields,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
