import { Arg, Int } from 'type-graphql'
import { isFinal } from '../../domain/operation/lifecycle.ts'
import { invalid } from '../../engine/model/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type FieldContext, type WaitableResult } from './context.ts'
import { messageOf } from '../../engine/model/message.ts'

const maxWaitSeconds = 60

type WaitContext = Pick<FieldContext, 'hub' | 'scope' | 'reads' | 'isGone'> & {
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
}

/** Declares the argument `waitSeconds` of a mutation. */
export const WaitSeconds = () =>
  Arg('waitSeconds', () => Int, {
    nullable: true,
    description: `Answer when the operation has ended or waits for the operator, or after this many seconds; 0 to ${maxWaitSeconds}, 0 by default.`,
  })

export function requireWait(seconds: number | null | undefined): number {
  const waitSeconds = seconds ?? 0
  if (waitSeconds < 0 || waitSeconds > maxWaitSeconds)
    throw invalid('waitSeconds', messageOf('field.from_to', { least: 0, most: maxWaitSeconds }))
  return waitSeconds
}

/**
 * Returns the answer as it is when its operation has ended or the time is over. The wait changes
 * nothing: a client that disconnects does not affect the operation.
 */
export async function afterWaiting<A extends WaitableResult>(
  context: WaitContext,
  answer: A,
  seconds: number,
): Promise<A> {
  if (seconds === 0 || !answer.operation || isFinal(answer.operation.state)) return answer
  // The request is accepted already, so an answer that is slightly old is better than an error.
  return await whenEnded(context, answer, {
    id: answer.operation.id,
    waitMs: seconds * 1000,
  }).catch(() => answer)
}

/**
 * Returns an operation when it has ended or waits for the operator, or its present state when the
 * time is over.
 */
export function findEnded(
  context: WaitContext,
  id: string,
  seconds: number | null | undefined,
): Promise<OperationView | null> {
  const waitMs = requireWait(seconds) * 1000
  return waitMs === 0 ? context.reads.operations.find(id) : untilEnded(context, { id, waitMs })
}

interface AwaitedOperation {
  id: string
  waitMs: number
}

async function whenEnded<A extends WaitableResult>(
  context: WaitContext,
  answer: A,
  awaited: AwaitedOperation,
): Promise<A> {
  const operation = (await untilEnded(context, awaited)) ?? answer.operation
  return { ...answer, ...(await reread(context.reads, answer)), operation }
}

/** Reads the objects of an answer again, such as its `vmSnapshot` from `reads.vmSnapshots`. */
async function reread(
  reads: WaitContext['reads'],
  { operation: _operation, ...objects }: WaitableResult,
): Promise<object> {
  const latest = Object.entries(objects).map(async ([noun, view]: [string, { id: string }]) => {
    // The cast allows for fields that are no noun: their reads are undefined.
    const found = reads[`${noun}s` as keyof typeof reads] as Partial<ReadsById> | undefined
    // An object that was deleted since is returned as it was when the request was accepted.
    return [noun, (await found?.find?.(view.id)) ?? view] as const
  })
  return Object.fromEntries(await Promise.all(latest))
}

interface ReadsById {
  find(id: string): Promise<object | null>
}

async function untilEnded(
  context: WaitContext,
  { id, waitMs }: AwaitedOperation,
): Promise<OperationView | null> {
  const { hub, scope, reads } = context
  // Subscribes before the read, so a change in between is not missed.
  const changes = hub.subscribe({ scope, kinds: ['operation'] })
  const ended = new AbortController()
  const limit = whileWaiting(context, waitMs, ended.signal).then(() => changes.close())
  try {
    let operation = await reads.operations.find(id)
    while (operation && !isFinal(operation.state) && !operation.waitsFor) {
      const { value, done } = await changes.next()
      if (done === true) break
      if (value.gap || value.change.objectId === id) operation = await reads.operations.find(id)
    }
    return operation
  } finally {
    ended.abort()
    await limit
  }
}

/** How often the wait checks if the client disconnected. */
const checkMs = 500

async function whileWaiting(
  { clock, isGone }: WaitContext,
  waitMs: number,
  ended: AbortSignal,
): Promise<void> {
  const end = clock.elapsedMs() + waitMs
  for (let left = waitMs; left > 0 && !ended.aborted && !isGone(); left = end - clock.elapsedMs())
    await clock.sleep(Math.min(checkMs, left), ended)
}
