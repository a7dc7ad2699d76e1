import { expect } from 'vitest'
import { type Wire, type WireAnswer } from '../../../support/clients/http-client.ts'
import { type Json } from '../../../support/json.ts'
import { waitFor } from '../../../support/wait-for.ts'

/** The values that a client has read so far, such as its token and the ids of its objects. */
export type Known = Record<string, Json>

/** One request of a client, and what the client reads from the answer. */
export interface Step {
  /** The act of the client, for failures. */
  does: string
  method: string
  path: string | ((known: Known) => string)
  body?: (known: Known) => Json
  /** Takes values from the body of the answer. */
  reads?: (body: Json, known: Known) => void
  /** The client repeats the request until this holds. */
  until?: (body: Json) => boolean
}

/** How one client sends every request, and what it makes of every answer. */
export interface ClientHabits {
  headers: (known: Known, step: Step) => Record<string, string>
  /** The client gives up after this time. */
  timeoutMs: number
  /** The client understands only these states, in lower case, of each kind of object. */
  states: Readonly<Record<string, readonly string[]>>
}

export interface Player {
  readonly known: Known
  /** Plays the steps one after another. */
  play(...steps: readonly Step[]): Promise<void>
  /** Plays the steps at the same time. Clients do so when no request builds on another one. */
  playTogether(...steps: readonly Step[]): Promise<void>
}

/** Plays recorded requests against Berth. Every answer that the client cannot use is a failure. */
export function playerOf(wire: Wire, habits: ClientHabits, known: Known = {}): Player {
  const request = async (step: Step): Promise<Json> => {
    const path = typeof step.path === 'string' ? step.path : step.path(known)
    const call = {
      headers: habits.headers(known, step),
      ...(step.body && { body: step.body(known) }),
    }
    const answer = await inTime(habits, step, wire.send(step.method, path, call))
    expectUsable(habits, step, answer)
    return answer.body
  }
  const playOne = async (step: Step): Promise<void> => {
    const { until = () => true } = step
    let body: Json
    await waitFor(async () => until((body = await request(step))), {
      timeoutMs: 30_000,
      everyMs: 100,
      what: () => `${step.does}; the last answer was ${JSON.stringify(body)}`,
    })
    step.reads?.(body, known)
  }
  return {
    known,
    async play(...steps) {
      for (const step of steps) await playOne(step)
    },
    async playTogether(...steps) {
      await Promise.all(steps.map(playOne))
    },
  }
}

async function inTime<Answer>(
  { timeoutMs }: ClientHabits,
  { does }: Step,
  pending: Promise<Answer>,
): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`${does}: no answer in ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    return await Promise.race([pending, late])
  } finally {
    clearTimeout(timer)
  }
}

function expectUsable({ states }: ClientHabits, { does }: Step, answer: WireAnswer): void {
  const { status, body, text } = answer
  if (status < 200 || status > 299) expect.unreachable(`${does}: ${status} ${text}`)
  for (const [kind, known] of Object.entries(states))
    for (const object of objectsIn(body, kind)) {
      const state = String(object.state ?? object.phase).toLowerCase()
      expect(known, `${does}: the state of the ${kind} ${object.name}`).toContain(state)
    }
}

/** The dashboard has numbers under the same names, which are no objects. */
const objectsIn = (body: Json, kind: string): Json[] =>
  [body?.[kind] ?? [], body?.[`${kind}s`] ?? []].flat().filter(({ id }) => id !== undefined)

/** Returns the object that a client looks for in a list, by its name. */
export const namedIn = (all: Json[], name: string): Json =>
  all.find((each) => each.name === name) ?? expect.unreachable(`no ${name}`)
