import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Places in the product where a test may make trouble: fail, wait, stop or die exactly there. The
 * bundler replaces `__FAILPOINTS__` by false for production and everything behind it vanishes;
 * elsewhere nothing happens without a plan.
 */
declare const __FAILPOINTS__: boolean | undefined

type Where = 'before' | 'after'

export interface FailpointRule {
  /** A name, or a prefix ending in `*`. */
  readonly at: string
  /** Only for this object; without one, for all. */
  readonly of?: string
  readonly where?: Where
  readonly do: 'error' | 'delay' | 'kill' | 'stop' | 'repeat'
  readonly delayMs?: number
  /** Only at the n-th arrival (1 is the first) that this rule sees. */
  readonly nth?: number
  /** Chance per arrival, drawn from the plan's seed. */
  readonly chance?: number
}

export interface FailpointPlan {
  readonly seed?: number
  readonly rules: readonly FailpointRule[]
  /**
   * Hears of every arrival, so that a test can compare the names with the step registry; the step
   * waits for what it returns.
   */
  readonly seen?: (name: string, where: Where, subject: string) => void | Promise<void>
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
  // The text comes from a test's own JSON.stringify of a plan.
  plan = typeof next === 'string' ? (JSON.parse(next) as FailpointPlan) : next
  arrivals = plan?.rules.map(() => 0) ?? []
  random = seeded(plan?.seed ?? 1)
}

const subjects = new AsyncLocalStorage<string>()

/** Says whose steps the act takes, so that a plan can mean one object among many. */
export const onSubject = <T>(subject: string, act: () => T): T =>
  enabled && plan ? subjects.run(subject, act) : act()

/** Call before and after each step. Answers `repeat` where the plan wants the step done twice. */
export async function failpoint(name: string, where: Where): Promise<'go on' | 'repeat'> {
  if (!enabled || !plan) return 'go on'
  const subject = subjects.getStore() ?? ''
  await plan.seen?.(name, where, subject)
  let answer: 'go on' | 'repeat' = 'go on'
  for (const [index, rule] of plan.rules.entries()) {
    if (!strikes(rule, index, { name, where, subject })) continue
    if (rule.do === 'repeat') answer = 'repeat'
    else await strike(rule, name, where)
  }
  return answer
}

/**
 * Runs a step between its two failpoints, twice where the plan wants to see that once more changes
 * nothing.
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

function strikes(rule: FailpointRule, index: number, at: Arrival): boolean {
  if (!isMeant(rule, at)) return false
  const arrival = (arrivals[index] ?? 0) + 1
  arrivals[index] = arrival
  if (rule.nth !== undefined && rule.nth !== arrival) return false
  return rule.chance === undefined || random() < rule.chance
}

function isMeant(
  { at, where = 'before', of }: FailpointRule,
  { name, where: side, subject }: Arrival,
): boolean {
  const named = at.endsWith('*') ? name.startsWith(at.slice(0, -1)) : at === name
  return named && where === side && (of ?? subject) === subject
}

async function strike(rule: FailpointRule, name: string, where: Where): Promise<void> {
  if (rule.do === 'error') throw new FailpointError(name, where)
  if (rule.do === 'delay') await new Promise((resolve) => setTimeout(resolve, rule.delayMs ?? 100))
  if (rule.do === 'kill') process.kill(process.pid, 'SIGKILL')
  if (rule.do === 'stop') process.kill(process.pid, 'SIGSTOP')
}

/** mulberry32: small, and the same on every machine. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
