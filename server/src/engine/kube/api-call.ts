import { type ClusterName } from './refs.ts'

/** One kind as the API addresses it. */
export interface ApiKind {
  group: string
  version: string
  kind: string
  plural: string
}

/**
 * A call to one object or one collection. Its names are checked by type; nothing else becomes part
 * of the path.
 */
export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  of: ApiKind
  namespace?: ClusterName
  name?: ClusterName
  subresource?: 'console' | 'vnc' | 'log' | 'start' | 'stop' | 'restart' | 'pause' | 'unpause'
  query?: Readonly<Record<string, string>>
  body?: unknown
  contentType?: string
  /** Names and versions without contents; an object is a hundredth of its size then. */
  only?: 'metadata'
  /** Instead of all of the above: what belongs to no object. */
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

/** For messages and logs. */
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
