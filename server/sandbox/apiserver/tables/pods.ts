import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { age } from './age.ts'
import { dig } from '../../objects/dig.ts'

/*
 * Summarizes the state of a pod in one word, as kubectl does. The phase alone is too coarse, so the
 * summary includes the states of the containers.
 */
interface PodSummary {
  ready: string
  status: string
  restarts: string
}

export function podSummary(pod: KubeObject): PodSummary {
  const initContainers = dig.list(pod, 'spec.initContainers')
  const sidecars = new Set(
    initContainers
      .filter((each) => dig.text(each, 'restartPolicy') === 'Always')
      .map((each) => dig.text(each, 'name')),
  )
  const isSidecar = (state: Json): boolean => sidecars.has(dig.text(state, 'name'))
  const inits = dig.list(pod, 'status.initContainerStatuses')
  const mains = dig.list(pod, 'status.containerStatuses')
  const blocked = inits.findIndex((state) => !isPast(state, isSidecar(state)))
  const passed = inits.slice(0, blocked < 0 ? inits.length : blocked)
  const initializing = blocked >= 0 && !hasCondition(pod, 'Initialized')
  const counted = initializing
    ? inits.slice(0, blocked + 1)
    : [...inits.filter(isSidecar), ...mains]
  const ready = [
    ...passed.filter(isSidecar),
    ...(initializing ? [] : mains.filter(isRunning)),
  ].filter(isReady).length
  const blocking = inits[blocked]
  const initReason =
    blocking === undefined ? null : initSentence(blocking, blocked, initContainers.length)
  const reason = initializing ? initReason : (mainReason(pod, mains) ?? initReason)
  return {
    ready: `${ready}/${dig.list(pod, 'spec.containers').length + sidecars.size}`,
    status: leaving(pod) ?? reason ?? ownReason(pod),
    restarts: restartsOf(counted),
  }
}

const isReady = (state: Json): boolean => dig.any(state, 'ready') === true
const isRunning = (state: Json): boolean =>
  dig.any(state, 'state.running') !== undefined && containerReason(state) === ''

const isPast = (state: Json, sidecar: boolean): boolean => {
  const terminated = dig.any(state, 'state.terminated')
  if (terminated !== undefined && dig.number(terminated, 'exitCode') === 0) return true
  return sidecar && dig.any(state, 'started') === true
}

const conditionOf = (pod: KubeObject, type: string): Json | undefined =>
  dig.list(pod, 'status.conditions').find((each) => dig.text(each, 'type') === type)

const hasCondition = (pod: KubeObject, type: string): boolean =>
  dig.text(conditionOf(pod, type), 'status') === 'True'

function ownReason(pod: KubeObject): string {
  if (dig.text(conditionOf(pod, 'PodScheduled'), 'reason') === 'SchedulingGated')
    return 'SchedulingGated'
  return dig.text(pod, 'status.reason') || dig.text(pod, 'status.phase')
}

function initSentence(state: Json, index: number, count: number): string {
  const ended = dig.any(state, 'state.terminated')
  if (ended !== undefined) return `Init:${terminationReason(ended)}`
  const waits = dig.text(state, 'state.waiting.reason')
  return waits === '' || waits === 'PodInitializing' ? `Init:${index}/${count}` : `Init:${waits}`
}

function terminationReason(terminated: Json): string {
  const signal = dig.number(terminated, 'signal')
  return (
    dig.text(terminated, 'reason') ||
    (signal === 0 ? `ExitCode:${dig.number(terminated, 'exitCode')}` : `Signal:${signal}`)
  )
}

/** Returns the reason of a container that waits or has ended. Empty for other containers. */
function containerReason(state: Json): string {
  const waits = dig.text(state, 'state.waiting.reason')
  const ended = dig.any(state, 'state.terminated')
  return waits || (ended === undefined ? '' : terminationReason(ended))
}

/** Returns the first reason of a container. A pod that is only partly Completed still runs. */
function mainReason(pod: KubeObject, states: readonly Json[]): string | null {
  const reason = states.map(containerReason).find((each) => each !== '') ?? null
  const runs = states.some((state) => isRunning(state) && isReady(state))
  if (reason !== 'Completed' || !runs) return reason
  return hasCondition(pod, 'Ready') ? 'Running' : 'NotReady'
}

function leaving(pod: KubeObject): string | null {
  if (pod.metadata.deletionTimestamp === undefined) return null
  if (dig.text(pod, 'status.reason') === 'NodeLost') return 'Unknown'
  return ['Succeeded', 'Failed'].includes(dig.text(pod, 'status.phase')) ? null : 'Terminating'
}

function restartsOf(states: readonly Json[]): string {
  const count = states.reduce<number>((sum, state) => sum + dig.number(state, 'restartCount'), 0)
  const last = states
    .map((state) => dig.text(state, 'lastState.terminated.finishedAt'))
    .sort()
    .at(-1)
  return count === 0 || !last ? String(count) : `${count} (${age(last)} ago)`
}

/** Marks a finished pod with a condition, so that clients can hide its row. */
export function podConditions(pod: KubeObject): JsonMap[] {
  const phase = dig.text(pod, 'status.phase')
  if (phase !== 'Succeeded' && phase !== 'Failed') return []
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.'
  return [{ type: 'Completed', status: 'True', reason: phase, message }]
}

export function readinessGates(pod: KubeObject): string {
  const gates = dig.list(pod, 'spec.readinessGates')
  const open = gates.filter((gate) => hasCondition(pod, dig.text(gate, 'conditionType'))).length
  return gates.length === 0 ? '<none>' : `${open}/${gates.length}`
}
