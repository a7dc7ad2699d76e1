import { type KindHooks, type WebhookRequest } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { containerDefaults, withDefaults } from './container-defaults.ts'
import { qosClassOf } from './qos-class.ts'
import { volumeDefaults } from './volume-defaults.ts'

/** Defaults that the API server and its built-in admission plugins set on every pod. */
export const podHooks: KindHooks = {
  onCreate: (pod) => {
    const { serviceAccount, ...spec } = mapOf(pod.spec)
    const account = spec.serviceAccountName ?? serviceAccount ?? 'default'
    const filled = podDefaults({
      ...pod,
      spec: { ...spec, serviceAccountName: account, serviceAccount: account },
    })
    return { ...filled, status: { phase: 'Pending', qosClass: qosClassOf(mapOf(filled.spec)) } }
  },
  normalise: podDefaults,
  admit: (request) => (request.old ? request.object : withPriority(request)),
}

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const podSpecDefaults: JsonMap = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
  enableServiceLinks: true,
}

function podDefaults(pod: KubeObject): KubeObject {
  if (!isMap(pod.spec)) return pod
  const { containers, initContainers, volumes, tolerations } = pod.spec
  const lists = {
    ...each('containers', containers, containerDefaults),
    ...each('initContainers', initContainers, containerDefaults),
    ...each('volumes', volumes, volumeDefaults),
  }
  const spec = {
    ...withDefaults(pod.spec, podSpecDefaults),
    ...lists,
    tolerations: [...listOf(tolerations), ...defaultTolerations(listOf(tolerations))],
  }
  return { ...pod, spec }
}

/** Completes every map in the list. Validation refuses items that are no maps. */
const each = (
  name: string,
  list: Json | undefined,
  complete: (item: JsonMap) => JsonMap,
): JsonMap =>
  Array.isArray(list) ? { [name]: list.map((item) => (isMap(item) ? complete(item) : item)) } : {}

/** A pod tolerates an unreachable node for five minutes, unless it has its own toleration. */
function defaultTolerations(tolerations: readonly Json[]): JsonMap[] {
  const isTolerated = (key: string): boolean =>
    tolerations.some(
      (each) =>
        isMap(each) &&
        ['', key].includes(textOf(each.key)) &&
        ['', 'NoExecute'].includes(textOf(each.effect)),
    )
  const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !isTolerated(key),
  )
  return keys.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }))
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const priorities: Readonly<Record<string, JsonMap>> = {
  'system-node-critical': { value: 2_000_001_000 },
  'system-cluster-critical': { value: 2_000_000_000 },
}

function withPriority({ object, resource, get }: WebhookRequest): KubeObject {
  if (!isMap(object.spec)) return object
  const name = textOf(object.spec.priorityClassName)
  const found =
    name === ''
      ? {}
      : (priorities[name] ?? get('priorityclasses.scheduling.k8s.io', undefined, name))
  if (!found)
    throw refuse.forbidden(resource, object.metadata.name, {
      text: `no PriorityClass with name ${name} was found`,
    })
  const { value = 0, preemptionPolicy = 'PreemptLowerPriority' }: JsonMap = found
  return { ...object, spec: { ...object.spec, priority: value, preemptionPolicy } }
}
