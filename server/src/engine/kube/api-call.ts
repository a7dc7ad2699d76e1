import { type ClusterName } from './refs.ts'

/** One kind of the Kubernetes API. */
export interface ApiKind {
  group: string
  version: string
  kind: string
  plural: string
  /** The verbs with which Berth calls the kind. Its account needs the right to each of them. */
  verbs: readonly Verb[]
  /** The verb with which Berth calls each subresource of the kind. */
  subresources?: Readonly<Partial<Record<Subresource, Verb>>>
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'

export type Subresource =
  'console' | 'vnc' | 'log' | 'start' | 'stop' | 'restart' | 'pause' | 'unpause'

/**
 * A call to one object or collection. The type ensures that names are checked; nothing else becomes
 * part of the path.
 */
export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  of: ApiKind
  namespace?: ClusterName
  name?: ClusterName
  subresource?: Subresource
  query?: Readonly<Record<string, string>>
  body?: unknown
  contentType?: string
  /** Requests only metadata, which is a hundredth of an object's size. */
  only?: 'metadata'
  /** A path of no object, used instead of the fields above. */
  fixedPath?: FixedPath
}

export type FixedPath = '/version' | '/apis' | '/apis/subresources.kubevirt.io/v1/version'

export function pathOf({ of, namespace, name, subresource, query, fixedPath }: ApiCall): string {
  if (fixedPath !== undefined) return fixedPath
  const root = of.group === '' ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`
  const segments = [
    root,
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    of.plural,
    name,
    subresource,
  ].filter((part) => part !== undefined)
  const search = new URLSearchParams(query).toString()
  return search === '' ? segments.join('/') : `${segments.join('/')}?${search}`
}

export const apiVersion = ({ group, version }: ApiKind): string =>
  group === '' ? version : `${group}/${version}`

/** Returns the name of a call for messages and logs. */
export const callName = ({
  method,
  of,
  namespace,
  name,
  subresource,
  fixedPath,
}: ApiCall): string =>
  [
    method.toLowerCase(),
    subresource,
    fixedPath ?? of.kind,
    [namespace, name].filter((part) => part !== undefined).join('/'),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
