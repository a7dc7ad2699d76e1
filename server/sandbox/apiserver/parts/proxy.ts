import { type Answer, type Call } from '../request.ts'
import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type KubeObject } from '../../objects/types.ts'
import { addressOf, noListener } from './containers.ts'

/*
 * What a pod, a service or a node serves itself, over the API server. Nothing listens there: so a
 * client is answered what it is answered then.
 */
export function proxyTo(call: Call): Answer {
  const { host, port } = placeOf(call)
  const [path = ''] = (call.request.url ?? '').split('?')
  const reads = call.request.method === 'GET' || call.request.method === 'HEAD'
  // The root has a slash, so that what is relative to it is found.
  if (reads && call.beyond.length === 0 && !path.endsWith('/')) {
    const { pathname, search } = new URL(call.request.url ?? '', 'https://localhost')
    return {
      status: 301,
      body: '',
      contentType: null,
      headers: { location: `${pathname}/${search}` },
    }
  }
  throw refuse.unavailable(`error trying to reach service: ${noListener(host, port)}`)
}

interface Place {
  host: string
  port: string
}

interface Named {
  scheme: string
  name: string
  port: string
}

function placeOf(call: Call): Place {
  const { resource, store, namespace, name: asked = '' } = call
  const named = namedIn(asked)
  if (!named)
    throw refuse.badRequest(`invalid ${resource.singular} request ${JSON.stringify(asked)}`)
  const object = store.get(resource, namespace, named.name)
  if (!object) throw refuse.notFound(resource, named.name)
  if (resource.kind === 'Node') return { host: addressOf(object), port: named.port || '10250' }
  return resource.kind === 'Pod' ? podPlace(object, named) : servicePlace(object, named)
}

/** `name`, `name:port` or `scheme:name:port`. */
function namedIn(text: string): Named | null {
  const parts = text.split(':')
  if (parts.length > 3) return null
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts]
  return ['', 'http', 'https'].includes(scheme) && name !== '' ? { scheme, name, port } : null
}

function podPlace(pod: KubeObject, { scheme, port }: Named): Place {
  const ports = dig.list(pod, 'spec.containers').flatMap((each) => dig.list(each, 'ports'))
  const host = dig.text(pod, 'status.podIP')
  if (host === '') throw refuse.badRequest('address not allowed')
  const own = dig.number(ports[0], 'containerPort')
  return { host, port: port || (own > 0 ? String(own) : scheme === 'https' ? '443' : '80') }
}

/** A service leads on to what stands behind it; here nothing ever does. */
function servicePlace(service: KubeObject, { port }: Named): never {
  const ports = dig.list(service, 'spec.ports')
  const { name } = service.metadata
  const isMeant = (each: Json): boolean =>
    dig.text(each, 'name') === port || String(dig.number(each, 'port')) === port
  if (port !== '' && !ports.some(isMeant))
    throw refuse.unavailable(
      `no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`,
    )
  throw refuse.unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
}
