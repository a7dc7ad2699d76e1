import { clock } from '../../clock.ts'
import { registry } from '../../kinds/registry.ts'
import { textOfSelector } from '../requests/selector-text.ts'
import { labelsSelectedBy } from '../requests/selectors.ts'
import { ApiError, refuse } from '../../objects/status.ts'
import { type Store } from '../storage/store.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject, isMap } from '../../objects/types.ts'

const violated = "Cannot evict pod as it would violate the pod's disruption budget."

interface Disruption {
  pod: KubeObject
  dryRun: boolean
}

/** Takes one disruption from the budget of the pod. Refuses when none is left. */
export function takeDisruption(store: Store, { pod, dryRun }: Disruption): void {
  const budgets = registry.named('poddisruptionbudgets.policy')
  const found = store.list(budgets, pod.metadata.namespace).filter((each) => covers(each, pod))
  const [budget, ...more] = found
  if (!budget) return
  if (more.length > 0) throw new ApiError({ status: 500, message: severalBudgets })
  if (!isReady(pod) && mayGoUnready(budget)) return
  mustHaveLeft(budget)
  if (!dryRun) store.put(budgets, afterDisruption(budget, pod))
}

/** A budget without a selector covers no pod; an empty selector covers all pods. */
function covers(budget: KubeObject, pod: KubeObject): boolean {
  const selector = dig.any(budget, 'spec.selector')
  return isMap(selector) && labelsSelectedBy(textOfSelector(selector))(pod)
}

const severalBudgets =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'

const isReady = (pod: KubeObject): boolean =>
  dig
    .list(pod, 'status.conditions')
    .some((each) => dig.text(each, 'type') === 'Ready' && dig.text(each, 'status') === 'True')

/**
 * True when the eviction of an unready pod needs no disruption: the budget allows it, or enough
 * pods are healthy.
 */
function mayGoUnready(budget: KubeObject): boolean {
  if (dig.text(budget, 'spec.unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true
  const [current, desired] = [
    dig.number(budget, 'status.currentHealthy'),
    dig.number(budget, 'status.desiredHealthy'),
  ]
  return desired > 0 && current >= desired
}

function mustHaveLeft(budget: KubeObject): void {
  const { name, generation = 0 } = budget.metadata
  if (dig.number(budget, 'status.observedGeneration') < generation) {
    const cause = {
      reason: 'DisruptionBudget',
      message: `The disruption budget ${name} is still being processed by the server.`,
    }
    throw refuse.tooManyRequests(violated, { causes: [cause], retryAfterSeconds: 10 })
  }
  const left = dig.number(budget, 'status.disruptionsAllowed')
  if (left > 0) return
  if (left < 0)
    throw refuse.forbidden(registry.named('poddisruptionbudgets.policy'), name, {
      text: 'pdb disruptions allowed is negative',
    })
  const [needed, has] = [
    dig.number(budget, 'status.desiredHealthy'),
    dig.number(budget, 'status.currentHealthy'),
  ]
  const message = `The disruption budget ${name} needs ${needed} healthy pods and has ${has} currently`
  throw refuse.tooManyRequests(violated, { causes: [{ reason: 'DisruptionBudget', message }] })
}

function afterDisruption(budget: KubeObject, pod: KubeObject): KubeObject {
  const status = dig.map(budget, 'status')
  const disruptedPods = {
    ...dig.map(status, 'disruptedPods'),
    [pod.metadata.name]: clock.timestamp(),
  }
  return {
    ...budget,
    status: {
      ...status,
      disruptedPods,
      disruptionsAllowed: dig.number(status, 'disruptionsAllowed') - 1,
    },
  }
}
