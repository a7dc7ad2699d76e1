import { numberOf } from '../quantity.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { isPodOver } from './pods.ts'
import { read } from '../objects/read.ts'

/*
 * Checks whether a pod fits a node, in the order of the scheduler's filters, because users see the
 * first failure.
 */

/** Cached for each version of a pod: a node may have thousands of them. */
const requests = new WeakMap<KubeObject, Record<string, number>>()

function requestsOf(pod: KubeObject): Record<string, number> {
  const known = requests.get(pod)
  if (known) return known
  const { containers: main, initContainers } = read.spec(pod)
  const containers = [
    ...read.maps(main),
    ...read.maps(initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ]
  const sums: Record<string, number> = { cpu: 0, memory: 0 }
  for (const each of containers) {
    const requested = Object.entries(read.map(read.at(each, 'resources', 'requests')))
    for (const [resource, quantity] of requested)
      sums[resource] = (sums[resource] ?? 0) + (numberOf(quantity) ?? 0)
  }
  requests.set(pod, sums)
  return sums
}

/**
 * Returns the scheduler's reason why the pod does not fit the node beside these pods; null when it
 * fits.
 */
export function unfitReason(
  pod: KubeObject,
  node: KubeObject,
  onNode: readonly KubeObject[],
): string | null {
  const spec = read.spec(pod)
  const running = onNode.filter((each) => !isPodOver(each))
  if (read.spec(node).unschedulable === true && !tolerates(spec, unschedulable))
    return 'node(s) were unschedulable'
  const taints = read
    .maps(read.spec(node).taints)
    .filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
  if (taints.some((taint) => !tolerates(spec, taint))) return 'node(s) had untolerated taint(s)'
  if (!isChosen(spec, node)) return "node(s) didn't match Pod's node affinity/selector"
  const insufficient = insufficientResource(pod, node, running)
  if (insufficient !== null) return `Insufficient ${insufficient}`
  const antiAffinity = read.maps(
    read.at(
      pod.spec,
      'affinity',
      'podAntiAffinity',
      'requiredDuringSchedulingIgnoredDuringExecution',
    ),
  )
  return antiAffinity.length > 0 && running.some((other) => repels(pod, antiAffinity, other))
    ? "node(s) didn't match pod anti-affinity rules"
    : null
}

const unschedulable: JsonMap = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

function tolerates(spec: JsonMap, taint: JsonMap): boolean {
  return read.maps(spec.tolerations).some(({ key, operator, value, effect }) => {
    if (effect !== undefined && effect !== '' && effect !== taint.effect) return false
    if (operator === 'Exists') return key === undefined || key === '' || key === taint.key
    return key === taint.key && (value ?? '') === (taint.value ?? '')
  })
}

function isChosen(spec: JsonMap, node: KubeObject): boolean {
  const labels = node.metadata.labels ?? {}
  if (!Object.entries(read.map(spec.nodeSelector)).every(([key, value]) => labels[key] === value))
    return false
  const required = read.map(
    read.at(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'),
  )
  const terms = read.maps(required.nodeSelectorTerms)
  const holds = (term: JsonMap): boolean =>
    read.maps(term.matchExpressions).every((each) => matches(labels, each)) &&
    read
      .maps(term.matchFields)
      .every((each) => matches({ 'metadata.name': node.metadata.name }, each))
  return terms.length === 0 || terms.some(holds)
}

/** True when the labels meet one requirement of a selector. */
function matches(labels: Record<string, string>, { key, operator, values }: JsonMap): boolean {
  const label = labels[read.text(key)]
  const allowed = read.texts(values)
  if (operator === 'In') return label !== undefined && allowed.includes(label)
  if (operator === 'NotIn') return label === undefined || !allowed.includes(label)
  if (operator === 'Exists') return label !== undefined
  if (operator === 'DoesNotExist') return label === undefined
  if (operator === 'Gt') return Number(label) > Number(allowed[0])
  return operator === 'Lt' && Number(label) < Number(allowed[0])
}

function insufficientResource(
  pod: KubeObject,
  node: KubeObject,
  running: readonly KubeObject[],
): string | null {
  const requested = requestsOf(pod)
  const taken = running.map(requestsOf)
  const insufficient = Object.keys(requested).find((resource) => {
    const has = numberOf(read.at(node.status, 'allocatable', resource)) ?? 0
    const used = taken.reduce((sum, each) => sum + (each[resource] ?? 0), 0)
    return (requested[resource] ?? 0) > has - used
  })
  return insufficient ?? null
}

/**
 * Each node is a topology domain of its own, so an anti-affinity term concerns only the pods of
 * that node.
 */
function repels(pod: KubeObject, antiAffinity: readonly JsonMap[], other: KubeObject): boolean {
  if (other.metadata.namespace !== pod.metadata.namespace) return false
  return antiAffinity.some(({ labelSelector }) => {
    const { matchLabels, matchExpressions } = read.map(labelSelector)
    const labels = other.metadata.labels ?? {}
    const byLabels = Object.entries(read.map(matchLabels)).every(
      ([key, value]) => labels[key] === value,
    )
    return byLabels && read.maps(matchExpressions).every((each) => matches(labels, each))
  })
}
