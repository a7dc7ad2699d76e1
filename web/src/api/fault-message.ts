import { messageIn, sentenceOf } from '../i18n/messages.ts'
import { t } from '../i18n/t.ts'

/** A fault as a page shows it: a sentence, a remedy, and a message for each field of a form. */
export interface FaultMessage {
  code: string
  sentence: string
  remedy: string | null
  fields: Readonly<Record<string, string>>
  requestId: string | null
  /** True for no answer, an overload or a timeout: the same request may succeed later. */
  transient: boolean
}

interface ErrorLike {
  message: string
  networkError?: Error | undefined
  graphQLErrors?: readonly { message: string; extensions?: Record<string, unknown> }[]
}

const unreachable = (): FaultMessage => ({
  code: 'unreachable',
  sentence: t('Berth did not answer.'),
  remedy: t('Check the connection and try again; nothing you typed is lost.'),
  fields: {},
  requestId: null,
  transient: true,
})

/** Converts an error of the GraphQL client. The server's own sentence is preferred. */
export function faultFromError(error: ErrorLike): FaultMessage {
  const first = error.graphQLErrors?.[0]
  if (!first) return unreachable()
  return faultFromParts(first.message, first.extensions ?? {})
}

/** Converts a problem+json body. Any other body becomes a general sentence. */
export function faultFromProblem(status: number, body: unknown): FaultMessage {
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

function faultFromParts(sentence: string, parts: Record<string, unknown>): FaultMessage {
  const code = text(parts['code']) ?? 'internal'
  const remedy = text(parts['remedy'])
  return {
    code,
    sentence: sentenceOf(messageIn(parts), sentence),
    remedy: remedy && sentenceOf({ key: `fault.${code}.remedy`, params: {} }, remedy),
    fields: fieldsFrom(parts['fields']),
    // A problem document has the name of the REST API.
    requestId: text(parts['requestId']) ?? text(parts['request_id']),
    transient: code === 'overloaded' || code === 'timeout',
  }
}

function fieldsFrom(entries: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  if (!Array.isArray(entries)) return fields
  for (const entry of entries) {
    if (!isRecord(entry)) continue
    const path = text(entry['path'])
    const message = text(entry['message'])
    // The server's path begins with the argument, a form's fields are named without it.
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
