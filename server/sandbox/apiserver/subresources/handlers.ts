import { type Call, type Handler } from '../request.ts'
import { type PartVerb, subresourcesOf } from '../../objects/resource.ts'
import { patchObject } from '../patches/patch.ts'
import { requestToken } from '../authentication/token-request.ts'
import { podLog } from './pod-log.ts'
import { readObject } from '../read.ts'
import { replaceObject } from '../update.ts'
import { bindPod } from './binding.ts'
import { enterContainer, forwardPorts } from './containers.ts'
import { evictPod } from './eviction.ts'
import { proxyTo } from './proxy.ts'
import { patchScale, readScale, replaceScale } from './scale.ts'

const verbs: Readonly<Record<string, PartVerb>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Returns the handler of a subresource. Null when the subresource does not support the method. */
export function subresourceHandler({ resource, request }: Call, part: string): Handler | null {
  const verb = verbs[request.method ?? '']
  const served = subresourcesOf(resource).find(({ name }) => name === part)
  return (verb && served?.verbs.includes(verb) && handlers[part]?.[verb]) || null
}

/** True for handlers that read no body and ignore the Accept header. */
export const isRawHandler = (handler: Handler): boolean => rawHandlers.includes(handler)

const rawHandlers: readonly Handler[] = [podLog, enterContainer, forwardPorts, proxyTo]

const objectHandlers = { get: readObject, update: replaceObject, patch: patchObject }

const handlers: Readonly<Record<string, Partial<Record<PartVerb, Handler>>>> = {
  approval: objectHandlers,
  attach: { create: enterContainer, get: enterContainer },
  binding: { create: bindPod },
  ephemeralcontainers: objectHandlers,
  eviction: { create: evictPod },
  exec: { create: enterContainer, get: enterContainer },
  finalize: { update: replaceObject },
  log: { get: podLog },
  portforward: { create: forwardPorts, get: forwardPorts },
  proxy: { create: proxyTo, delete: proxyTo, get: proxyTo, patch: proxyTo, update: proxyTo },
  resize: objectHandlers,
  scale: { get: readScale, update: replaceScale, patch: patchScale },
  status: objectHandlers,
  token: { create: requestToken },
}
