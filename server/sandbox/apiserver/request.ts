import { type IncomingMessage, type ServerResponse } from 'node:http'
import { type UploadTokens } from '../trust/upload-tokens.ts'
import { type JsonMap } from '../objects/types.ts'
import { type Alias, type Resource, subresourcesOf } from '../objects/resource.ts'
import { type Registry } from '../kinds/registry.ts'
import { refuse } from '../objects/status.ts'
import { type Identity } from '../objects/identity.ts'
import { type Tokens } from './authentication/tokens.ts'
import { reviewAt } from './authorization/rows.ts'
import { type ContainerLogs } from './container-logs.ts'
import { type Store } from './storage/store.ts'
import { unstoredAt } from './subresources/unstored-kinds.ts'
import { type MediaType } from './requests/media-types.ts'

/** The object or collection that a path of the resource API names. */
export interface Target {
  resource: Resource
  /** The version in the path when it differs from the stored one. */
  alias: Alias | undefined
  namespace: string | undefined
  name: string | undefined
  subresource: string | undefined
  /** The path segments after `proxy`. */
  proxyPath: readonly string[]
}

/**
 * A request to the resource API after its path, user, media type and body have been read, with the
 * services that handlers need.
 */
export interface Call extends Target {
  store: Store
  logs: ContainerLogs
  tokens: Tokens
  uploads: UploadTokens
  /** The authenticated user, after impersonation. */
  user: Identity
  /** The negotiated media type of the response. */
  mediaType: MediaType
  query: URLSearchParams
  request: IncomingMessage
  response: ServerResponse
  body: Buffer
}

/** Returns null when the handler has already written to the connection. */
export type Handler = (call: Call) => Answer | null

/** The response that a handler returns. */
export interface Answer {
  status: number
  body: JsonMap | string | Buffer
  /** The value null means a response without a content type. */
  contentType?: string | null
  warnings?: readonly string[]
  headers?: Record<string, string>
}

/**
 * Rewrites the deprecated form of a watch, with the segment `watch` after the version, to a list
 * with the parameter. A single object becomes a field selector.
 */
export function modernWatch(target: Target, query: URLSearchParams): Target {
  query.set('watch', 'true')
  if (target.name !== undefined) query.set('fieldSelector', `metadata.name=${target.name}`)
  return { ...target, name: undefined }
}

const oldWatch = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch(\/.+)$/

/** The path without the segment `watch`; null for any other path. */
export function watchedPath(path: string): string | null {
  const [, root, rest] = oldWatch.exec(path) ?? []
  return root !== undefined && rest !== undefined ? `${root}${rest}` : null
}

/**
 * Parses a path. Null when it names no served resource. A `..` is a name here and does not shorten
 * the path.
 */
export function targetOf(registry: Registry, path: string): Target | null {
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  const decoded = segments.map(decodeSegment).filter((segment) => segment !== null)
  if (decoded.length < segments.length) return null
  const [root, group = '', version = '', ...rest] =
    decoded[0] === 'api' ? ['api', '', ...decoded.slice(1)] : decoded
  return root === 'api' || root === 'apis' ? resourceAt(registry, [group, version], rest) : null
}

function resourceAt(
  registry: Registry,
  [group, version]: readonly [string, string],
  rest: string[],
): Target | null {
  const [first, second, third] = rest
  const namespace = first === 'namespaces' && isInside(group, third) ? second : undefined
  const [plural = '', name, subresource, ...more] = namespace === undefined ? rest : rest.slice(2)
  const resource = rowAt(registry, [group, version], plural)
  if (
    !resource ||
    (more.length > 0 && subresource !== 'proxy') ||
    !hasValidScope(resource, namespace, name)
  )
    return null
  // For a custom kind, an unknown subresource is reported as an unknown object.
  if (!servesSubresource(resource, subresource)) return notServed(resource, name)
  return {
    resource,
    alias: aliasOf(resource, group, version),
    namespace,
    name,
    subresource,
    proxyPath: more,
  }
}

const rowAt = (
  registry: Registry,
  [group, version]: readonly [string, string],
  plural: string,
): Resource | undefined =>
  registry.find(group, version, plural) ??
  reviewAt(group, version, plural) ??
  unstoredAt(group, version, plural)

const aliasOf = (
  { aliases = [], ...row }: Resource,
  group: string,
  version: string,
): Alias | undefined =>
  aliases.find((each) => each.version === version && (each.group ?? row.group) === group)

function notServed(resource: Resource, name = ''): null {
  if (resource.custom) throw refuse.notFound(resource, name)
  return null
}

/**
 * True unless the path names a single namespaced object without its namespace, or puts a
 * cluster-scoped kind into one.
 */
const hasValidScope = (
  resource: Resource,
  namespace: string | undefined,
  name: string | undefined,
): boolean =>
  namespace === undefined ? !resource.namespaced || name === undefined : resource.namespaced

/**
 * True when the segment after the namespace is a resource, not a subresource of the namespace
 * itself.
 */
const isInside = (group: string, segment: string | undefined): boolean =>
  segment !== undefined && !(group === '' && (segment === 'status' || segment === 'finalize'))

const servesSubresource = (resource: Resource, name: string | undefined): boolean =>
  name === undefined || subresourcesOf(resource).some((each) => each.name === name)

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
