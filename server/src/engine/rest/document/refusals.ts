import { statusOf, titleOf } from '../../http/faults.ts'
import { type FaultCode, faultCodes } from '../../model/fault.ts'
import { component, list, object } from '../json-schema.ts'
import { scalar } from '../scalar.ts'
import { type OpenApiResponse, header } from './responses.ts'

const { text, whole } = scalar

const problemField = component(
  { name: 'ProblemField', description: 'One invalid value of a request.' },
  object({
    path: { ...text, description: 'The field, such as `rules[0].port_from`, or the parameter.' },
    message: {
      ...text,
      description: 'The problem, as the end of a sentence that begins with the path.',
    },
  }),
)

const problem = component(
  { name: 'Problem', description: 'Why a request was refused (RFC 9457).' },
  object({
    type: { ...text, description: 'A URI that identifies the kind of the refusal.' },
    title: { ...text, description: 'The kind of the refusal in words.' },
    status: { ...whole, description: 'The status of the response.' },
    detail: { ...text, description: 'The reason as a sentence.' },
    code: {
      type: 'string',
      enum: faultCodes,
      description: 'The kind of the refusal. Clients branch on it, because sentences may change.',
    },
    request_id: { ...text, description: 'The id under which the log has the request.' },
    remedy: { ...text, description: 'The remedy as a sentence.' },
    'fields?': { ...list(problemField), description: 'The invalid values of the request.' },
    error: {
      type: 'string',
      description: 'Same as `detail`, for clients of the older interface.',
    },
  }),
)

/** Describes the refusals with these codes by their status. */
export function refusalsWith(codes: readonly FaultCode[]): Record<string, OpenApiResponse> {
  const statuses = [...new Set(codes.map((code) => statusOf[code]))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      refusalWith(
        status,
        codes.filter((code) => statusOf[code] === status),
      ),
    ]),
  )
}

function refusalWith(status: number, codes: readonly FaultCode[]): OpenApiResponse {
  const titles = codes.map((code) => `${titleOf(code).toString()} (\`${code}\`)`)
  return {
    description: titles.join('; '),
    ...([429, 503].includes(status) && {
      headers: { 'Retry-After': header('Seconds to wait.', whole) },
    }),
    'x-codes': codes,
    content: { 'application/problem+json': { schema: problem } },
  }
}
