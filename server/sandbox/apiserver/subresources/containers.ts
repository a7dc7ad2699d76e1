import { podContainer } from './pod-container.ts'
import { registry } from '../../kinds/registry.ts'
import { type Call } from '../request.ts'
import { ApiError, refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject } from '../../objects/types.ts'

/*
 * Access to the containers of pods. The simulated nodes run no kubelet, so a valid request gets the
 * error of an API server that cannot reach the node.
 */

const kubeletPort = 10250

/** Handles exec and attach. */
export function enterContainer(call: Call): never {
  const pod = podOf(call)
  podContainer(pod, call.query.get('container') ?? '')
  throw unreachable(call, pod)
}

export function forwardPorts(call: Call): never {
  throw unreachable(call, podOf(call))
}

function podOf({ resource, store, namespace, name = '' }: Call): KubeObject {
  const pod = store.get(resource, namespace, name)
  if (!pod) throw refuse.notFound(resource, name)
  return pod
}

function unreachable({ request, store }: Call, pod: KubeObject): ApiError {
  const node = dig.text(pod, 'spec.nodeName')
  if (node === '')
    return refuse.badRequest(`pod ${pod.metadata.name} does not have a host assigned`)
  const found = store.get(registry.named('nodes'), undefined, node)
  if (!found) return refuse.notFound(registry.named('nodes'), node)
  if (request.headers.upgrade === undefined) return refuse.badRequest('Upgrade request required')
  return new ApiError({
    status: 500,
    message: `error dialing backend: ${connectionRefused(addressOf(found), kubeletPort)}`,
  })
}

export const addressOf = (node: KubeObject): string => {
  const addresses = dig.list(node, 'status.addresses')
  return dig.text(
    addresses.find((each) => dig.text(each, 'type') === 'InternalIP'),
    'address',
  )
}

/** Returns the error of the operating system for a refused connection. */
export const connectionRefused = (host: string, port: number | string): string =>
  `dial tcp ${host}:${port}: connect: connection refused`
