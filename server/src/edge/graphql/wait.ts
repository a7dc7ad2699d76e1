import { Arg, Int } from 'type-graphql'
import { isFinal } from '../../domain/operation/lifecycle.ts'
import { invalid } from '../../engine/model/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type FieldContext, type WaitedFor } from './context.ts'
import { messageOf } from '../../engine/model/message.ts'

const longestSeconds = 60

type Waiting = Pick<FieldContext, 'hub' | 'scope' | 'reads' | 'isGone'> & {
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
}

/** The argument of a mutation that can be waited for. */
export const WaitSeconds = () =>
  Arg('waitSeconds', () => Int, {
    nullable: true,
    description: `Answer when the operation has ended, or after so many seconds; 0 to ${longestSeconds}, and 0 unless said otherwise.`,
  })

export function requireWait(seconds: number | null | undefined): number {
  const wanted = seconds ?? 0
  if (wanted < 0 || wanted > longestSeconds)
    throw invalid('waitSeconds', messageOf('field.from_to', { least: 0, most: longestSeconds }))
  return wanted
}

/**
 * The answer as it is when its operation has ended or the time is over. The operation does not know
 * that somebody waits: whoever hangs up has waited in vain and changed nothing.
 */
export async function afterWaiting<A extends WaitedFor>(
  waiting: Waiting,
  answer: A,
  seconds: number,
): Promise<A> {
  if (seconds === 0 || !answer.operation || isFinal(answer.operation.state)) return answer
  // What was asked is accepted: an answer that is a little old is truer than a refusal.
  return await asEnded(waiting, answer, { id: answer.operation.id, waitMs: seconds * 1000 }).catch(
    () => answer,
  )
}

interface Awaited {
  id: string
  waitMs: number
}

async function asEnded<A extends WaitedFor>(
  waiting: Waiting,
  answer: A,
  awaited: Awaited,
): Promise<A> {
  const operation = (await untilEnded(waiting, awaited)) ?? answer.operation
  return { ...answer, ...(await asNow(waiting.reads, answer)), operation }
}

/** What is gone by now was there when it was answered. */
async function asNow(
  reads: Waiting['reads'],
  { vm, vmSnapshot, volume, volumeSnapshot, vpc, network }: WaitedFor,
): Promise<Partial<WaitedFor>> {
  return {
    ...(vm && { vm: await again(reads.vms, vm) }),
    ...(vmSnapshot && { vmSnapshot: await again(reads.vmSnapshots, vmSnapshot) }),
    ...(volume && { volume: await again(reads.volumes, volume) }),
    ...(volumeSnapshot && { volumeSnapshot: await again(reads.volumeSnapshots, volumeSnapshot) }),
    ...(vpc && { vpc: await again(reads.vpcs, vpc) }),
    ...(network && { network: await again(reads.networks, network) }),
  }
}

const again = async <View extends { id: string }>(
  reads: { find(id: string): Promise<View | null> },
  view: View,
): Promise<View> => (await reads.find(view.id)) ?? view

async function untilEnded(
  waiting: Waiting,
  { id, waitMs }: Awaited,
): Promise<OperationView | null> {
  const { hub, scope, reads } = waiting
  // Listening begins before reading: what changes in between is heard.
  const changes = hub.subscribe({ scope, kinds: ['operation'] })
  const ended = new AbortController()
  const limit = whileWaiting(waiting, waitMs, ended.signal).then(() => changes.close())
  try {
    let operation = await reads.operations.find(id)
    while (operation && !isFinal(operation.state)) {
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

/** How soon it is noticed that nobody waits any more. */
const lookMs = 500

async function whileWaiting(
  { clock, isGone }: Waiting,
  waitMs: number,
  ended: AbortSignal,
): Promise<void> {
  const end = clock.elapsedMs() + waitMs
  for (let left = waitMs; left > 0 && !ended.aborted && !isGone(); left = end - clock.elapsedMs())
    await clock.sleep(Math.min(lookMs, left), ended)
}
