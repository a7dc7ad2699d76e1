import { Fault } from '../model/fault.ts'
import { faultFrom } from './faults.ts'
import { textMessage } from '../model/message.ts'

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Lists every name in the variables of a document, including nested objects and lists. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [name, ...namesIn(child)])
}

export interface DocumentInput {
  variables: object
  /** The REST names of fields whose REST name is not snake case. */
  names: Readonly<Record<string, string>>
}

/**
 * Renames the fields in a fault to their REST names, because REST callers do not know the GraphQL
 * names. Only names of the request's fields are replaced; other words may be names that users
 * chose.
 */
export function inWireNames(thrown: unknown, { variables, names }: DocumentInput): Error {
  const fault = faultFrom(thrown)
  if (fault.fields.length === 0) return thrown instanceof Error ? thrown : fault
  const fieldNames = new Set(namesIn(variables))
  const wireName = (name: string): string =>
    fieldNames.has(name) ? (names[name] ?? snakeCase(name)) : name
  const withWireNames = (text: string): string => text.replaceAll(/[A-Za-z]+/g, wireName)
  const fields = fault.fields.map(({ path, message }) => ({
    path: withWireNames(path),
    message: textMessage(withWireNames(message.toString())),
  }))
  const { retryAfterSeconds, cause } = fault
  return new Fault(fault.code, textMessage(withWireNames(fault.message)), {
    fields,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
