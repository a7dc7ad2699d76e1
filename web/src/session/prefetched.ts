import { type TypedDocumentNode, stringifyVariables } from '@urql/core'
import { nameOf } from '../api/graphql.ts'
import { systemClock } from '../runtime/clock.ts'
import { translate } from '../i18n/messages.ts'

/*
 * The requests that the page itself sends before the console is loaded (index.html): the renewal of
 * the session and the queries of the first page. The code that would send one of them takes its
 * answer instead, once. The answers expire after ten seconds, and are discarded with the session.
 */
interface Early {
  renewal?: Promise<Answer>
  /** Answers by request body. Undefined or empty when the server refused the request. */
  answers: Map<unknown, Promise<string | undefined>>
}

type Answer = Pick<Response, 'status' | 'ok' | 'json'>

declare global {
  var berthPrefetched: Early | undefined
}

const goodForMs = 10_000
const sinceMs = systemClock.now()
const isGood = () => systemClock.now() - sinceMs < goodForMs

/** The answers that have arrived. Pages draw them at once, before they send the request. */
const arrived = new Map<unknown, string | undefined>()
for (const [body, begun] of globalThis.berthPrefetched?.answers ?? [])
  begun.then((text) => arrived.set(body, text)).catch(() => null)

/**
 * Returns the arrived result of the query and leaves it for the real request. Null when none has
 * arrived or it has errors.
 */
export function prefetchedAnswer<Answer, Variables extends object>(
  document: TypedDocumentNode<Answer, Variables>,
  variables: object,
): Answer | null {
  if (!isGood()) return null
  const key = stringifyVariables({ operationName: nameOf(document), variables })
  const body = [...(globalThis.berthPrefetched?.answers.keys() ?? [])].find(
    (each) => keyOf(String(each)) === key,
  )
  const text = arrived.get(body)
  if (!text) return null
  // The cast is safe: the server answered this document.
  const answer = JSON.parse(text) as { data?: Answer; errors?: unknown; extensions?: object }
  translate(answer)
  return answer.errors === undefined ? (answer.data ?? null) : null
}

function keyOf(body: string): string {
  const { operationName, variables } = JSON.parse(body) as {
    operationName?: string
    variables?: object
  } // The build wrote the body (first-load.ts).
  return stringifyVariables({ operationName, variables: variables ?? {} })
}

export function takePrefetchedRenewal(): Promise<Answer> | undefined {
  const renewal = globalThis.berthPrefetched?.renewal
  delete globalThis.berthPrefetched?.renewal
  return renewal
}

/** Takes the answer for the request body. Null when there is none, so the request must be sent. */
export async function takePrefetchedAnswer(body: unknown): Promise<Response | null> {
  const answers = globalThis.berthPrefetched?.answers
  const begun = answers?.get(body)
  answers?.delete(body)
  const text = begun && (await begun.catch(() => null))
  return text && isGood() ? responseOf(text) : null
}

/**
 * Builds a response whose `text()` resolves at once. Reading a real body takes several tasks, and
 * the page would be drawn without the data first.
 */
const responseOf = (text: string): Response =>
  Object.assign(new Response(null, { headers: { 'content-type': 'application/json' } }), {
    text: () => Promise.resolve(text),
  })

export function discardPrefetched() {
  delete globalThis.berthPrefetched
}
