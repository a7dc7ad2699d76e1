import { systemClock } from '../composables/clock.ts'

/*
 * What the page itself begins before the console is there (index.html): the renewal of the session, and the questions that its first page asks in any
 * case. Whoever would ask one of them takes its answer instead, once. None is good for longer than the page takes to open, nor for anybody else.
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
  return text && systemClock.now() - sinceMs < goodForMs ? responseOf(text) : null
}

/** It gives its text at once: what comes from a body as a body comes takes tasks, and a page would be drawn without it before. */
const responseOf = (text: string): Response =>
  Object.assign(new Response(null, { headers: { 'content-type': 'application/json' } }), { text: () => Promise.resolve(text) })

export function forgetEarly() {
  delete globalThis.berthEarly
}
