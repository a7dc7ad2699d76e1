import { type KindHooks, type Admittance } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { containerDefaults, withDefaults } from './container-defaults.ts'
import { qosClassOf } from './qos-class.ts'
import { volumeDefaults } from './volume-defaults.ts'

/** What the API server and its own admission plugins fill in for any pod. */
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
  admit: (asked) => (asked.old ? asked.object : withPriority(asked)),
}

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const plain: JsonMap = {
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
    ...withDefaults(pod.spec, plain),
    ...lists,
    tolerations: [...listOf(tolerations), ...patience(listOf(tolerations))],
  }
  return { ...pod, spec }
}

/** The list with every map in it completed; whatever else is in it is left to validation. */
const each = (
  name: string,
  list: Json | undefined,
  complete: (item: JsonMap) => JsonMap,
): JsonMap =>
  Array.isArray(list) ? { [name]: list.map((item) => (isMap(item) ? complete(item) : item)) } : {}

/** A pod stays on a node that is lost for five minutes, unless it says itself how long. */
function patience(tolerations: readonly Json[]): JsonMap[] {
  const isSaid = (key: string): boolean =>
    tolerations.some(
      (each) =>
        isMap(each) &&
        ['', key].includes(textOf(each.key)) &&
        ['', 'NoExecute'].includes(textOf(each.effect)),
    )
  const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !isSaid(key),
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

function withPriority({ object, resource, get }: Admittance): KubeObject {
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
