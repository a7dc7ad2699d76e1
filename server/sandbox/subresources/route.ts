import { type Answer } from '../apiserver/request.ts'
import { type AggregatedRequest } from '../apiserver/server.ts'
import { type Client } from '../controllers/client.ts'
import { type ActionName, actions } from '../kinds/kubevirt/actions.ts'
import { type SubresourceHandler } from './call.ts'
import { type Kind, plain } from './refusals.ts'
import * as instanceActions from './instances.ts'
import { guestDisks, guestInfo, guestUsers } from './guest.ts'
import { ownAnswers } from './health.ts'
import { screenshot } from './screenshot.ts'
import { withoutUpgrade } from './streams.ts'
import { addInstanceVolume, addVolume, removeInstanceVolume, removeVolume } from './volumes.ts'
import { expandPosted, expandSpec } from './expand.ts'
import { migrate } from './migrate.ts'
import { dumpMemory, removeDump } from './memory-dumps.ts'
import { restart, start, stop } from './power.ts'

interface Route {
  method: 'GET' | 'PUT'
  handler: SubresourceHandler
}

const handlers: Record<ActionName, SubresourceHandler> = {
  'virtualmachines/start': start,
  'virtualmachines/stop': stop,
  'virtualmachines/restart': restart,
  'virtualmachines/migrate': migrate,
  'virtualmachines/expand-spec': expandSpec,
  'virtualmachines/memorydump': dumpMemory,
  'virtualmachines/removememorydump': removeDump,
  'virtualmachines/addvolume': addVolume,
  'virtualmachines/removevolume': removeVolume,
  'virtualmachineinstances/addvolume': addInstanceVolume,
  'virtualmachineinstances/removevolume': removeInstanceVolume,
  'virtualmachineinstances/pause': instanceActions.pause,
  'virtualmachineinstances/unpause': instanceActions.unpause,
  'virtualmachineinstances/softreboot': instanceActions.softReboot,
  'virtualmachineinstances/reset': instanceActions.reset,
  'virtualmachineinstances/freeze': instanceActions.freeze,
  'virtualmachineinstances/unfreeze': instanceActions.unfreeze,
  'virtualmachineinstances/evacuate/cancel': instanceActions.cancelEvacuation,
  'virtualmachineinstances/console': withoutUpgrade('console'),
  'virtualmachineinstances/vnc': withoutUpgrade('vnc'),
  'virtualmachineinstances/vnc/screenshot': screenshot,
  'virtualmachineinstances/portforward': withoutUpgrade('portforward'),
  'virtualmachines/portforward': withoutUpgrade('portforward'),
  'virtualmachineinstances/usbredir': withoutUpgrade('usbredir'),
  'virtualmachineinstances/vsock': withoutUpgrade('vsock'),
  'virtualmachineinstances/guestosinfo': guestInfo,
  'virtualmachineinstances/userlist': guestUsers,
  'virtualmachineinstances/filesystemlist': guestDisks,
}

const isAction = (name: string): name is ActionName => Object.hasOwn(actions, name)

const routeOf = (name: string): Route | undefined =>
  isAction(name) ? { method: actions[name].method, handler: handlers[name] } : undefined

const kinds: Record<string, Kind> = {
  virtualmachines: 'virtualmachine',
  virtualmachineinstances: 'virtualmachineinstance',
}

const objectPath =
  /^\/apis\/subresources\.kubevirt\.io\/(?:v1|v1alpha3)\/namespaces\/([^/]+)\/(virtualmachines|virtualmachineinstances)\/([^/]+)(?:\/(.+))?$/

const ownPath = /^\/apis\/subresources\.kubevirt\.io\/(?:v1|v1alpha3)\/([^/]+)$/

const expandPath =
  /^\/apis\/subresources\.kubevirt\.io\/(?:v1|v1alpha3)\/namespaces\/([^/]+)\/expand-vm-spec$/

/** True for a path below a version of the group. Discovery serves the versions themselves. */
export const isAggregated = (path: string): boolean =>
  /^\/apis\/subresources\.kubevirt\.io\/[^/]+\/./.test(path)

/** Answers as virt-api does, whose router returns 404 or 401 for unknown paths. */
export function answerAggregated(client: Client, request: AggregatedRequest): Answer {
  const own = ownAnswers[ownPath.exec(request.path)?.[1] ?? '']
  if (own) return own()
  const [, expandIn] = expandPath.exec(request.path) ?? []
  if (expandIn !== undefined) return answerExpand(client, expandIn, request)
  const found = subjectIn(request.path)
  if (!found) return plain(401, `unknown api endpoint: ${request.path}`)
  const { kind, route, namespace, name } = found
  return (
    refusedRoute(route, request) ??
    route?.handler({
      client,
      namespace,
      subject: { kind, name },
      body: request.body,
      path: request.path,
    }) ??
    notFound
  )
}

function answerExpand(
  client: Client,
  namespace: string,
  { method, body }: AggregatedRequest,
): Answer {
  if (method !== 'PUT') return plain(405, '405: Method Not Allowed')
  return body.length === 0
    ? plain(415, '415: Unsupported Media Type')
    : expandPosted(client, namespace, body)
}

function subjectIn(
  path: string,
): { kind: Kind; route: Route | undefined; namespace: string; name: string } | null {
  const [, namespace = '', plural = '', name = '', subresource] = objectPath.exec(path) ?? []
  const kind = kinds[plural]
  if (!kind || subresource === undefined) return null
  const which = subresource.replace(/^portforward\/\d+(?:\/(?:tcp|udp))?$/, 'portforward')
  return { kind, route: routeOf(`${plural}/${which}`), namespace, name }
}

const notFound = plain(404, '404: Page Not Found')

function refusedRoute(
  route: Route | undefined,
  { method, accept }: AggregatedRequest,
): Answer | null {
  if (!route) return notFound
  if (method !== route.method) return plain(405, '405: Method Not Allowed')
  const mayAnswer = method !== 'PUT' || takesAnything(accept)
  return mayAnswer ? null : plain(406, '406: Not Acceptable\n\nAvailable representations: ')
}

/** Responses to PUT have no content type, so only a client that accepts any type is served. */
const takesAnything = (accept: string): boolean => accept === '' || accept.includes('*/*')
