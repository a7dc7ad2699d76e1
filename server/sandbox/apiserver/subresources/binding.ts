import { clock } from '../../clock.ts'
import { objectInBody } from '../requests/body.ts'
import { writeOptions } from '../requests/options.ts'
import { registry } from '../../kinds/registry.ts'
import { type Answer, type Call } from '../request.ts'
import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { done } from './done.ts'
import { subresourceKinds } from './unstored-kinds.ts'

/** Assigns a pod to a node, as a scheduler does. */
export function bindPod(call: Call): Answer {
  const options = writeOptions(call.query, 'CreateOptions')
  const { object: binding } = objectInBody({ ...call, resource: subresourceKinds.binding }, options)
  if (call.name !== undefined && (binding.metadata.name ?? '') !== call.name) {
    throw refuse.badRequest('name in URL does not match name in Binding object')
  }
  mustNameNode(binding)
  const pods = registry.named('pods')
  const { name } = binding.metadata
  const pod = call.store.get(pods, call.namespace, name)
  if (!pod) throw refuse.notFound(pods, name)
  const refusal = refusalOf(pod)
  if (refusal !== null) throw refuse.conflict({ ...pods, plural: 'pods/binding' }, name, refusal)
  if (!options.dryRun) call.store.put(pods, bound(pod, binding))
  return done
}

function mustNameNode({ target }: KubeObject): void {
  const [kind, name] = [dig.text(target, 'kind'), dig.text(target, 'name')]
  const wrong = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [
          `target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`,
        ]),
    ...(name === '' ? ['target.name: Required value'] : []),
  ]
  if (wrong.length > 0)
    throw refuse.internal(wrong.length === 1 ? wrong.join() : `[${wrong.join(', ')}]`)
}

function refusalOf({ metadata: { name, deletionTimestamp }, spec }: KubeObject): string | null {
  const node = dig.text(spec, 'nodeName')
  if (deletionTimestamp !== undefined)
    return `pod ${name} is being deleted, cannot be assigned to a host`
  if (node !== '') return `pod ${name} is already assigned to node ${JSON.stringify(node)}`
  return dig.list(spec, 'schedulingGates').length > 0
    ? `pod ${name} has non-empty .spec.schedulingGates`
    : null
}

/** Does not increase the generation, because the desired state stays the same. */
function bound(pod: KubeObject, { metadata, target }: KubeObject): KubeObject {
  const otherConditions = dig
    .list(pod, 'status.conditions')
    .filter((each) => dig.text(each, 'type') !== 'PodScheduled')
  const scheduled: JsonMap = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: clock.timestamp(),
  }
  const annotations = { ...pod.metadata.annotations, ...metadata.annotations }
  return {
    ...pod,
    metadata: { ...pod.metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
    spec: { ...dig.map(pod, 'spec'), nodeName: dig.text(target, 'name') },
    status: {
      ...(isMap(pod.status) ? pod.status : { phase: 'Pending' }),
      conditions: [...otherConditions, scheduled],
    },
  }
}
