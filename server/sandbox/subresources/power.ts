import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { guestGraceSeconds } from '../controllers/vms/node/grace.ts'
import { isFinal, phaseOf } from '../objects/vms/phase.ts'
import { strategyOf } from '../objects/vms/power.ts'
import { requestsOf } from '../objects/vms/requests.ts'
import { read } from '../objects/read.ts'
import {
  type SubresourceCall,
  type SubresourceHandler,
  instanceOf,
  isDry,
  store,
  subjectOf,
} from './call.ts'
import { optionsIn } from './options.ts'
import { deny, empty } from './refusals.ts'

/*
 * Handlers of the VM subresources start, stop and restart. They change the run strategy or queue a
 * request in the status of the VM; the VM controller carries it out.
 */

interface Power {
  call: SubresourceCall
  vm: KubeObject
  vmi: KubeObject | undefined
  options: JsonMap
}

export const start: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.StartOptions')
  const vm = subjectOf(call)
  const vmi = instanceOf(call)
  if (vmi && !isFinal(vmi) && phaseOf(vmi) !== 'Unknown')
    throw deny.conflict(call.subject, 'VM is already running')
  return done({ call, vm, vmi, options }, afterStart)
}

function afterStart({ call, vm, vmi, options }: Power): KubeObject {
  const strategy = strategyOf(vm)
  const request = {
    action: 'Start',
    ...(options.paused === true ? { data: { paused: 'true' } } : {}),
  }
  if (strategy === 'Halted')
    return options.paused === true ? withRequests(vm, [request]) : withRunning(vm, true)
  if (strategy !== 'Manual' && strategy !== 'RerunOnFailure')
    throw deny.conflict(call.subject, `${strategy} does not support manual start requests`)
  if (!vmi) return withRequests(vm, [request])
  if (strategy === 'RerunOnFailure' && phaseOf(vmi) === 'Failed')
    throw deny.conflict(
      call.subject,
      'RerunOnFailure does not support starting VM from failed state',
    )
  return withRequests(vm, isFinal(vmi) ? [stopOf(vmi), request] : [request])
}

export const stop: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.StopOptions')
  const vm = subjectOf(call)
  const vmi = instanceOf(call)
  const alive = vmi && !isFinal(vmi) ? vmi : undefined
  if (alive && typeof options.gracePeriod === 'number' && !isDry(options))
    setGracePeriod(call, alive, options.gracePeriod)
  return done({ call, vm, vmi: alive, options }, afterStop)
}

function afterStop({ call, vm, vmi, options }: Power): KubeObject {
  const strategy = strategyOf(vm)
  if (strategy === 'Always' || strategy === 'Once') return withRunning(vm, false)
  if (!vmi) throw deny.conflict(call.subject, 'VM is not running')
  if (strategy !== 'Halted') return withRequests(vm, [stopOf(vmi)])
  const grace = options.gracePeriod
  // The current grace period, before this call shortens it.
  const before = guestGraceSeconds(vmi)
  if (typeof grace !== 'number' || grace >= before)
    throw deny.conflict(
      call.subject,
      'Halted only supports manual stop requests with a shorter graceperiod',
    )
  return withRequests(vm, [stopOf(vmi)])
}

export const restart: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.RestartOptions')
  const grace = options.gracePeriodSeconds
  if (typeof grace === 'number' && grace > 0)
    throw deny.badRequest('For force restart, only gracePeriod=0 is supported for now')
  if (typeof grace === 'number' && grace < 0)
    throw deny.badRequest('gracePeriod has to be greater or equal to 0')
  const vm = subjectOf(call)
  const strategy = strategyOf(vm)
  if (strategy === 'Halted' || strategy === 'Once')
    throw deny.conflict(
      call.subject,
      `RunStategy ${strategy} does not support manual restart requests`,
    )
  const vmi = instanceOf(call)
  if (!vmi) throw deny.conflict(call.subject, 'VM is not running: Halted')
  const answer = done({ call, vm, vmi, options }, () =>
    withRequests(vm, [stopOf(vmi), { action: 'Start' }]),
  )
  // The minimum grace period of a VMI is one second.
  if (grace === 0 && !isDry(options)) setGracePeriod(call, vmi, 1)
  return answer
}

function done(power: Power, change: (power: Power) => KubeObject) {
  const next = change(power)
  if (!isDry(power.options)) store(power.call, power.vm, next)
  return empty(202)
}

const stopOf = ({ metadata: { uid = '' } }: KubeObject): JsonMap => ({ action: 'Stop', uid })

function withRunning(vm: KubeObject, on: boolean): KubeObject {
  const spec = read.spec(vm)
  if (spec.running !== undefined && spec.runStrategy === undefined)
    return { ...vm, spec: { ...spec, running: on } }
  return { ...vm, spec: { ...spec, runStrategy: on ? 'Always' : 'Halted' } }
}

/**
 * Queues the requests. A single stop replaces open requests; anything else is refused while one is
 * open.
 */
function withRequests(vm: KubeObject, requests: JsonMap[]): KubeObject {
  const replaces = requests.length === 1 && requests[0]?.action === 'Stop'
  if (requestsOf(vm).length > 0 && !replaces)
    throw deny.internal('unable to complete request: stop/start already underway')
  return { ...vm, status: { ...read.status(vm), stateChangeRequests: requests } }
}

function setGracePeriod(call: SubresourceCall, vmi: KubeObject, seconds: number): void {
  store(call, vmi, { ...vmi, spec: { ...read.spec(vmi), terminationGracePeriodSeconds: seconds } })
}
