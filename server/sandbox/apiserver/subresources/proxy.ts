import { type Answer, type Call } from '../request.ts'
import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type KubeObject } from '../../objects/types.ts'
import { addressOf, connectionRefused } from './containers.ts'

/*
 * Proxies a request to a pod, service or node. Nothing listens there in the sandbox, so a client
 * gets the error for an unreachable service.
 */
export function proxyTo(call: Call): Answer {
  const { host, port } = addressFor(call)
  const [path = ''] = (call.request.url ?? '').split('?')
  const reads = call.request.method === 'GET' || call.request.method === 'HEAD'
  // The root needs a trailing slash, so that relative links resolve.
  if (reads && call.proxyPath.length === 0 && !path.endsWith('/')) {
    const { pathname, search } = new URL(call.request.url ?? '', 'https://localhost')
    return {
      status: 301,
      body: '',
      contentType: null,
      headers: { location: `${pathname}/${search}` },
    }
  }
  throw refuse.unavailable(`error trying to reach service: ${connectionRefused(host, port)}`)
}

interface Address {
  host: string
  port: string
}

interface Target {
  scheme: string
  name: string
  port: string
}

function addressFor(call: Call): Address {
  const { resource, store, namespace, name: requestedTarget = '' } = call
  const target = targetIn(requestedTarget)
  if (!target)
    throw refuse.badRequest(
      `invalid ${resource.singular} request ${JSON.stringify(requestedTarget)}`,
    )
  const object = store.get(resource, namespace, target.name)
  if (!object) throw refuse.notFound(resource, target.name)
  if (resource.kind === 'Node') return { host: addressOf(object), port: target.port || '10250' }
  return resource.kind === 'Pod' ? podAddress(object, target) : mustHaveEndpoints(object, target)
}

/** `name`, `name:port` or `scheme:name:port`. */
function targetIn(text: string): Target | null {
  const parts = text.split(':')
  if (parts.length > 3) return null
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts]
  return ['', 'http', 'https'].includes(scheme) && name !== '' ? { scheme, name, port } : null
}

function podAddress(pod: KubeObject, { scheme, port }: Target): Address {
  const ports = dig.list(pod, 'spec.containers').flatMap((each) => dig.list(each, 'ports'))
  const host = dig.text(pod, 'status.podIP')
  if (host === '') throw refuse.badRequest('address not allowed')
  const own = dig.number(ports[0], 'containerPort')
  return { host, port: port || (own > 0 ? String(own) : scheme === 'https' ? '443' : '80') }
}

/** A service has no endpoints in the sandbox. */
function mustHaveEndpoints(service: KubeObject, { port }: Target): never {
  const ports = dig.list(service, 'spec.ports')
  const { name } = service.metadata
  const isRequested = (each: Json): boolean =>
    dig.text(each, 'name') === port || String(dig.number(each, 'port')) === port
  if (port !== '' && !ports.some(isRequested))
    throw refuse.unavailable(
      `no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`,
    )
  throw refuse.unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
}
