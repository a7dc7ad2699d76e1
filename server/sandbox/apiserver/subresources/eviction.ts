import { interceptEviction } from './eviction-webhook.ts'
import { clock } from '../../clock.ts'
import { objectInBody } from '../requests/body.ts'
import { type DeleteOptions, mustMeetPreconditions, removeObject } from '../delete.ts'
import { isDryRun, writeOptions } from '../requests/options.ts'
import { type Answer, type Call } from '../request.ts'
import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject, isMap } from '../../objects/types.ts'
import { takeDisruption } from './disruption-budgets.ts'
import { done } from './done.ts'
import { subresourceKinds } from './unstored-kinds.ts'

/** Evicts a pod. A webhook may migrate the VMI instead, and a disruption budget may refuse. */
export function evictPod(call: Call): Answer {
  const { resource, store, namespace, name = '' } = call
  const { object: eviction } = objectInBody(
    { ...call, resource: subresourceKinds.eviction },
    writeOptions(call.query, 'CreateOptions'),
  )
  if ((eviction.metadata.name ?? '') !== name)
    throw refuse.badRequest('name in URL does not match name in Eviction object')
  const options = deletionIn(call, eviction)
  const pod = store.get(resource, namespace, name)
  if (!pod) throw refuse.notFound(resource, name)
  interceptEviction(store, { pod, eviction, dryRun: options.dryRun })
  mustMeetPreconditions(resource, pod, options)
  if (!isIdle(pod)) takeDisruption(store, { pod, dryRun: options.dryRun })
  const marked = options.dryRun || isIdle(pod) ? pod : store.put(resource, disrupted(pod))
  removeObject(store, resource, { object: marked, options })
  return done
}

function deletionIn({ query }: Call, eviction: KubeObject): DeleteOptions {
  const options = dig.map(eviction, 'deleteOptions')
  const grace = options.gracePeriodSeconds
  return {
    policy: dig.text(options, 'propagationPolicy') || 'Background',
    dryRun: isDryRun([...query.getAll('dryRun'), ...dig.texts(options, 'dryRun')], 'DeleteOptions'),
    uid: dig.text(options, 'preconditions.uid'),
    version: dig.text(options, 'preconditions.resourceVersion'),
    graceSeconds: typeof grace === 'number' ? grace : null,
  }
}

/**
 * True for a pod that has not started, has ended or is being deleted. Its eviction disrupts
 * nothing.
 */
const isIdle = ({ metadata, status }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined ||
  ['Succeeded', 'Failed', 'Pending'].includes(dig.text(status, 'phase'))

function disrupted(pod: KubeObject): KubeObject {
  const status = isMap(pod.status) ? pod.status : {}
  const otherConditions = dig
    .list(status, 'conditions')
    .filter((each) => dig.text(each, 'type') !== 'DisruptionTarget')
  const [type, reason, message] = [
    'DisruptionTarget',
    'EvictionByEvictionAPI',
    'Eviction API: evicting',
  ]
  const condition = {
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: clock.timestamp(),
    reason,
    message,
  }
  return { ...pod, status: { ...status, conditions: [...otherConditions, condition] } }
}
