import { type TypedDocumentNode, stringifyVariables } from '@urql/core'
import { nameOf } from '../api/graphql.ts'
import { systemClock } from '../runtime/clock.ts'
import { translate } from '../words/messages.ts'

/*
 * What the page itself begins before the console is there (index.html): the renewal of the session,
 * and the questions that its first page asks in any case. Whoever would ask one of them takes its
 * answer instead, once. None is good for longer than the page takes to open, nor for anybody else.
 */
interface Early {
  renewal?: Promise<Answer>
  /** By the body that they would be asked with; nothing where that was refused. */
  answers: Map<unknown, Promise<string | undefined>>
}

type Answer = Pick<Response, 'status' | 'ok' | 'json'>

declare global {
  var berthEarly: Early | undefined
}

const goodForMs = 10_000
const sinceMs = systemClock.now()
const isGood = () => systemClock.now() - sinceMs < goodForMs

/** The answers that have come, for who draws what is known before it asks for more. */
const come = new Map<unknown, string | undefined>()
for (const [body, begun] of globalThis.berthEarly?.answers ?? [])
  begun.then((text) => come.set(body, text)).catch(() => null)

/**
 * What has come of just this question, without taking it from who will ask it: null where nothing
 * good has.
 */
export function prefetchedAnswer<Answer, Variables extends object>(
  document: TypedDocumentNode<Answer, Variables>,
  variables: object,
): Answer | null {
  if (!isGood()) return null
  const asked = stringifyVariables({ operationName: nameOf(document), variables })
  const body = [...(globalThis.berthEarly?.answers.keys() ?? [])].find(
    (each) => askedBy(String(each)) === asked,
  )
  const text = come.get(body)
  if (!text) return null
  // What the server answers to the document.
  const answer = JSON.parse(text) as { data?: Answer; errors?: unknown; extensions?: object }
  translate(answer)
  return answer.errors === undefined ? (answer.data ?? null) : null
}

function askedBy(body: string): string {
  const { operationName, variables } = JSON.parse(body) as {
    operationName?: string
    variables?: object
  } // as the build wrote it (first-load.ts)
  return stringifyVariables({ operationName, variables: variables ?? {} })
}

export function takeRenewal(): Promise<Answer> | undefined {
  const renewal = globalThis.berthEarly?.renewal
  delete globalThis.berthEarly?.renewal
  return renewal
}

/** Null where nothing good has come; then it is asked as ever. */
export async function takeAnswer(body: unknown): Promise<Response | null> {
  const answers = globalThis.berthEarly?.answers
  const begun = answers?.get(body)
  answers?.delete(body)
  const text = begun && (await begun.catch(() => null))
  return text && isGood() ? responseOf(text) : null
}

/**
 * It gives its text at once: what comes from a body as a body comes takes tasks, and a page would
 * be drawn without it before.
 */
const responseOf = (text: string): Response =>
  Object.assign(new Response(null, { headers: { 'content-type': 'application/json' } }), {
    text: () => Promise.resolve(text),
  })

export function forgetEarly() {
  delete globalThis.berthEarly
}
