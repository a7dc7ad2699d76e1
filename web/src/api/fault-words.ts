import { messageIn, sentenceOf } from '../words/messages.ts'
import { t } from '../words/t.ts'
/**
 * What went wrong, in the shape a page can show: a sentence, what to do, and which field it is
 * about.
 */
export interface FaultWords {
  code: string
  sentence: string
  remedy: string | null
  fields: Readonly<Record<string, string>>
  requestId: string | null
  /** True when no answer came at all, so that the same request may be sent again. */
  transient: boolean
}

interface ErrorLike {
  message: string
  networkError?: Error | undefined
  graphQLErrors?: readonly { message: string; extensions?: Record<string, unknown> }[]
}

const unreachable = (): FaultWords => ({
  code: 'unreachable',
  sentence: t('Berth did not answer.'),
  remedy: t('Check the connection and try again; nothing you typed is lost.'),
  fields: {},
  requestId: null,
  transient: true,
})

/**
 * Words for an error of the GraphQL client; the server's own sentence wins wherever there is one.
 */
export function faultFromError(error: ErrorLike): FaultWords {
  const first = error.graphQLErrors?.[0]
  if (!first) return unreachable()
  return faultFromParts(first.message, first.extensions ?? {})
}

/** Words for a problem+json body, or for a body that is none. */
export function faultFromProblem(status: number, body: unknown): FaultWords {
  if (isRecord(body) && typeof body['code'] === 'string') {
    return faultFromParts(
      text(body['detail']) ?? text(body['title']) ?? t('The request was refused.'),
      body,
    )
  }
  if (status >= 500 || status === 0) return unreachable()
  return {
    ...unreachable(),
    code: `http_${status}`,
    sentence: t('Berth refused the request ({status}).', { status }),
    remedy: null,
    transient: false,
  }
}

function faultFromParts(sentence: string, parts: Record<string, unknown>): FaultWords {
  const code = text(parts['code']) ?? 'internal'
  const remedy = text(parts['remedy'])
  return {
    code,
    sentence: sentenceOf(messageIn(parts), sentence),
    remedy: remedy && sentenceOf({ key: `fault.${code}.remedy`, params: {} }, remedy),
    fields: fieldsFrom(parts['fields']),
    requestId: text(parts['requestId']),
    transient: code === 'overloaded' || code === 'timeout',
  }
}

function fieldsFrom(given: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  if (!Array.isArray(given)) return fields
  for (const entry of given) {
    if (!isRecord(entry)) continue
    const path = text(entry['path'])
    const message = text(entry['message'])
    // The server names the argument, a form only knows what is inside it.
    if (path && message)
      fields[path.replace(/^\$?input\./, '')] ??= sentenceOf(messageIn(entry), message)
  }
  return fields
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
