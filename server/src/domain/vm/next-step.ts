import {
  type MachineOrder,
  type OrderedRun,
  type RunOrder,
  type RunWish,
  powerVerbs,
} from './power-verbs.ts'
import { isOver } from './seen.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** What was asked of a machine, of its row. */
export interface AskedMachine {
  rowId: string
  /** It is to go, because somebody asked for that or because it could not be made. */
  isLeaving: boolean
  /** The identity in the cluster since we first made it; null before. */
  clusterUid: string | null
  generation: number
  appliedGeneration: number
  /** A start was promised and has not come about yet. */
  isToStart: boolean
  /** It was promised to be off at once, whatever the guest thinks of it. */
  isToEndAtOnce: boolean
  /** What was promised of one of its runs and has not come about yet. */
  runWish: { wish: RunWish; runUid: string; forced: boolean } | null
}

/** What the cluster shows under the machine's name. */
export interface SeenMachine {
  uid: string
  rowId: string | null
  isDeleting: boolean
  runStrategy: string | null
  followedRunStrategy: string | null
  queued: readonly ('start' | 'stop')[]
  instance: SeenRun | null
}

interface SeenRun {
  uid: string
  phase: string | null
  isDeleting: boolean
  graceSeconds: number | null
  paused: unknown
}

export type MachineStep =
  | { do: 'make' }
  | { do: 'change' }
  | { do: 'observe' }
  | { do: 'powerOn'; uid: string }
  | { do: 'order'; order: MachineOrder; uid: string; runUid: string }
  | { do: 'removeMachine'; uid: string }
  | { do: 'removeParts' }
  | { do: 'wait' }
  | { do: 'fail'; code: 'cluster_name_conflict'; detail: Message }

/** The one next step that brings a machine nearer to what was asked. */
export const nextStep = (asked: AskedMachine, seen: SeenMachine | null): MachineStep =>
  asked.isLeaving ? towardsGone(asked, seen) : towardsThere(asked, seen)

function towardsGone({ rowId }: AskedMachine, seen: SeenMachine | null): MachineStep {
  // A stranger's machine of our name is not ours to remove; then ours is not there.
  if (seen?.rowId !== rowId) return { do: 'removeParts' }
  return seen.isDeleting ? { do: 'wait' } : { do: 'removeMachine', uid: seen.uid }
}

function towardsThere(asked: AskedMachine, seen: SeenMachine | null): MachineStep {
  if (asked.clusterUid === null) return towardsMade(asked, seen)
  // Never silently made again: its disk may be gone with it, and somebody should know.
  if (seen?.uid !== asked.clusterUid || seen.isDeleting) return { do: 'observe' }
  if (asked.appliedGeneration < asked.generation) return { do: 'change' }
  return asked.isToStart && sleeps(seen)
    ? { do: 'powerOn', uid: seen.uid }
    : orderOrObserve(asked, seen)
}

function orderOrObserve(
  asked: AskedMachine,
  { uid, queued, instance: run }: SeenMachine,
): MachineStep {
  const order = run && !isOver(run.phase) ? orderTo(asked, queued, run) : null
  return order && run ? { do: 'order', order, uid, runUid: run.uid } : { do: 'observe' }
}

function towardsMade({ rowId }: AskedMachine, seen: SeenMachine | null): MachineStep {
  if (seen && seen.rowId !== rowId) return nameTaken
  return seen?.isDeleting ? { do: 'wait' } : { do: 'make' }
}

/**
 * A guest that shut itself down stays down, and asking for the same again wakes nobody. It is so
 * too where the start was asked for while the last run was still being cleared away.
 */
const sleeps = ({ runStrategy, followedRunStrategy, queued, instance }: SeenMachine): boolean =>
  runStrategy === 'RerunOnFailure' &&
  followedRunStrategy === runStrategy &&
  queued.length === 0 &&
  instance === null

/**
 * An order is for the run that it was promised of. What it does shows in the run, or in the line of
 * what the cluster has still to do: so an order whose answer was lost is not given again.
 */
function orderTo(
  { isToEndAtOnce, runWish }: AskedMachine,
  queued: SeenMachine['queued'],
  run: SeenRun,
): MachineOrder | null {
  if (isToEndAtOnce) return run.graceSeconds === 0 ? null : 'forceStop'
  if (runWish?.runUid !== run.uid || run.isDeleting) return null
  return orderFor(runWish, { paused: run.paused, queued })
}

function orderFor(
  { wish, forced }: NonNullable<AskedMachine['runWish']>,
  run: OrderedRun,
): MachineOrder | null {
  const order: RunOrder = powerVerbs[wish].order
  if (order.isTaken(run)) return null
  return forced && order.forced ? order.forced : wish
}

const nameTaken: MachineStep = {
  do: 'fail',
  code: 'cluster_name_conflict',
  detail: messageOf('vm.name_in_use'),
}
