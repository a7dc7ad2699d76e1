import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Points in the product where a test may inject a fault: fail, wait, stop or die exactly there. The
 * bundler replaces `__FAILPOINTS__` by false for production, which removes the code behind it.
 * Elsewhere nothing happens without a plan.
 */
declare const __FAILPOINTS__: boolean | undefined

type Where = 'before' | 'after'

export interface FailpointRule {
  /** A name, or a prefix that ends in `*`. */
  readonly at: string
  /** Limits the rule to this object; by default it applies to all. */
  readonly of?: string
  readonly where?: Where
  readonly do: 'error' | 'delay' | 'kill' | 'stop' | 'repeat'
  readonly delayMs?: number
  /** Limits the rule to its n-th arrival; 1 is the first. */
  readonly nth?: number
  /** The probability per arrival, drawn from the plan's seed. */
  readonly chance?: number
}

export interface FailpointPlan {
  readonly seed?: number
  readonly rules: readonly FailpointRule[]
  /**
   * Called at every arrival, so that a test can compare the names with the step registry. The step
   * waits for the returned promise.
   */
  readonly onArrival?: (name: string, where: Where, subject: string) => void | Promise<void>
}

class FailpointError extends Error {
  constructor(name: string, where: Where) {
    super(`failpoint ${where} ${name}`)
    this.name = 'FailpointError'
  }
}

const enabled = typeof __FAILPOINTS__ === 'undefined' || __FAILPOINTS__

let plan: FailpointPlan | null = null
let arrivals: number[] = []
let random: () => number = () => 0

/** Sets or clears the plan. A child process gets its plan as JSON in its configuration. */
export function planFailpoints(next: FailpointPlan | string | null): void {
  // The text is the JSON.stringify of a plan in a test.
  plan = typeof next === 'string' ? (JSON.parse(next) as FailpointPlan) : next
  arrivals = plan?.rules.map(() => 0) ?? []
  random = seeded(plan?.seed ?? 1)
}

const subjects = new AsyncLocalStorage<string>()

/** Runs `act` for the subject, so that a plan can select one object among many. */
export const onSubject = <T>(subject: string, act: () => T): T =>
  enabled && plan ? subjects.run(subject, act) : act()

/**
 * Call it before and after each step. It returns `repeat` when the plan wants the step to run
 * twice.
 */
export async function failpoint(name: string, where: Where): Promise<'go on' | 'repeat'> {
  if (!enabled || !plan) return 'go on'
  const subject = subjects.getStore() ?? ''
  await plan.onArrival?.(name, where, subject)
  let answer: 'go on' | 'repeat' = 'go on'
  for (const [index, rule] of plan.rules.entries()) {
    if (!applies(rule, index, { name, where, subject })) continue
    if (rule.do === 'repeat') answer = 'repeat'
    else await inject(rule, name, where)
  }
  return answer
}

/**
 * Runs a step between its two failpoints. It runs twice when the plan tests that a repetition
 * changes nothing.
 */
export async function atFailpoint<T>(name: string, step: () => Promise<T>): Promise<T> {
  const answer = await failpoint(name, 'before')
  const first = await step()
  const result = answer === 'repeat' ? await step() : first
  await failpoint(name, 'after')
  return result
}

interface Arrival {
  name: string
  where: Where
  subject: string
}

function applies(rule: FailpointRule, index: number, at: Arrival): boolean {
  if (!matches(rule, at)) return false
  const arrival = (arrivals[index] ?? 0) + 1
  arrivals[index] = arrival
  if (rule.nth !== undefined && rule.nth !== arrival) return false
  return rule.chance === undefined || random() < rule.chance
}

function matches(
  { at, where = 'before', of }: FailpointRule,
  { name, where: side, subject }: Arrival,
): boolean {
  const named = at.endsWith('*') ? name.startsWith(at.slice(0, -1)) : at === name
  return named && where === side && (of ?? subject) === subject
}

async function inject(rule: FailpointRule, name: string, where: Where): Promise<void> {
  if (rule.do === 'error') throw new FailpointError(name, where)
  if (rule.do === 'delay') await new Promise((resolve) => setTimeout(resolve, rule.delayMs ?? 100))
  if (rule.do === 'kill') process.kill(process.pid, 'SIGKILL')
  if (rule.do === 'stop') process.kill(process.pid, 'SIGSTOP')
}

/** mulberry32: small, and the same on every platform. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
