import { type RestRoute } from '../route.ts'
import { type Parameter } from './parameters.ts'

/** A request that a contract test sent to a route, and the body of its answer. */
export interface RestExample {
  /** The path with its query, such as `/api/v1/vms?filter=vm-1`. */
  path: string
  request?: unknown
  response?: unknown
}

/** Returns the example of an operation; undefined for one without a recorded example. */
export type ExampleOf = (row: RestRoute) => RestExample | undefined

/** Returns a value as the `example` of a part of the document; nothing for undefined. */
export const exampleOf = (value: unknown): { example?: unknown } =>
  value === undefined ? {} : { example: value }

/** Returns the parameters with the values that they had in the example. */
export function withExamples(
  parameters: readonly Parameter[],
  pattern: string,
  { path }: RestExample,
): Parameter[] {
  const [sentPath = '', query = ''] = path.split('?')
  const segments = sentPath.split('/')
  const sentQuery = new URLSearchParams(query)
  const valueOf = ({ name, in: location }: Parameter): string | null => {
    if (location === 'query') return sentQuery.get(name)
    return location === 'path' ? (segments[pattern.split('/').indexOf(`{${name}}`)] ?? null) : null
  }
  return parameters.map((parameter) => {
    const value = valueOf(parameter)
    const isNumber = parameter.schema.type === 'integer'
    return value === null ? parameter : { ...parameter, example: isNumber ? Number(value) : value }
  })
}
