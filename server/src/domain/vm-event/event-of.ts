import { type Explanation } from '../vm/explain.ts'
import { type SeenVm, isOver } from '../vm/seen.ts'
import { type VmState } from '../vm/state.ts'
import { type Power } from '../vm/vm.ts'
import { type NewVmEvent, type VmEventCode } from './vm-event.ts'

interface Known {
  state: VmState
  runUid?: string | null
  host?: string | null
  explanation?: Explanation | null
  wantedPower: Power
}

interface Found {
  state: VmState
  runUid: string | null
  host: string | null
  explanation: Explanation | null
}

interface Look {
  seen: Pick<SeenVm, 'runStrategy' | 'queued' | 'instance'> | null
  /** Something was promised of the machine, and what is seen is the way there. */
  isAsked: boolean
}

/**
 * What a look tells that the row did not say before; null where that is nothing, however much else
 * was news.
 */
export function eventOf(known: Known, found: Found, look: Look): NewVmEvent | null {
  const code = codeOf(known, found, look)
  return (
    code && { code, fromState: known.state, toState: found.state, explanation: found.explanation }
  )
}

function codeOf(known: Known, found: Found, look: Look): VmEventCode | null {
  const ofItself = look.isAsked ? null : unaskedIn(known, found, look.seen)
  if (ofItself) return ofItself
  if (hasMoved(known, found)) return 'moved'
  if (known.state !== found.state) return codeOfState[found.state]
  const explained = found.explanation?.code ?? null
  return explained !== null && explained !== known.explanation?.code ? 'noticed' : null
}

const up: readonly VmState[] = ['Running', 'Paused', 'Migrating']
const mayRun: readonly VmState[] = [...up, 'Unknown']
/** These say by themselves that nobody asked for them. */
const plain: readonly VmState[] = ['Unknown', 'Deleting', 'Lost']

function unaskedIn(known: Known, found: Found, seen: Look['seen']): VmEventCode | null {
  if (known.wantedPower === 'off')
    return known.state === 'Stopped' && hasLiveRun(seen) ? 'started_outside' : null
  if (!mayRun.includes(known.state) || plain.includes(found.state)) return null
  if (found.runUid !== null && found.runUid !== known.runUid) return 'restarted'
  return known.state === 'Unknown' || up.includes(found.state) ? null : endOf(found, seen)
}

const hasLiveRun = (seen: Look['seen']): boolean =>
  Boolean(seen?.instance && !isOver(seen.instance.phase))

function endOf({ state }: Found, seen: Look['seen']): VmEventCode {
  const phase = seen?.instance?.phase
  if (phase === 'Failed') return 'crashed'
  if (state === 'Restarting') return 'restarted'
  if (isToldToStop(seen)) return 'stopped_outside'
  return state === 'Stopped' || phase === 'Succeeded' ? 'shut_down' : 'went_down'
}

/**
 * A stop that somebody orders from the cluster itself waits in its line, or is what it was told of
 * the power.
 */
const isToldToStop = (seen: Look['seen']): boolean =>
  Boolean(seen && (seen.runStrategy === 'Halted' || seen.queued.includes('stop')))

const hasMoved = (known: Known, found: Found): boolean =>
  Boolean(known.host && found.host) &&
  known.host !== found.host &&
  known.runUid === found.runUid &&
  up.includes(found.state)

const codeOfState: Readonly<Record<VmState, VmEventCode>> = {
  Pending: 'pending',
  Provisioning: 'provisioning',
  Starting: 'starting',
  Running: 'running',
  Paused: 'paused',
  Migrating: 'migrating',
  Restarting: 'restarting',
  Stopping: 'stopping',
  Stopped: 'stopped',
  Deleting: 'deleting',
  Error: 'error',
  Unknown: 'unknown',
  Lost: 'lost',
}
