import { type JsonMap } from '../../objects/types.ts'
import { tokenRequests } from '../authentication/rows.ts'
import { subresourceKinds } from '../subresources/unstored-kinds.ts'
import { type Resource, type Subresource, subresourcesOf } from '../../objects/resource.ts'
import { componentsOf, kindOf } from './components.ts'
import { type Dialect } from './dialects.ts'
import { operations } from './operations.ts'

/** Objects of a kind, with the path of one object. */
interface Objects {
  resource: Resource
  tag: string
  path: string
  parameters: readonly JsonMap[]
}

const partKinds: readonly Resource[] = [...Object.values(subresourceKinds), tokenRequests]

/** Returns the kind of a subresource, such as Scale. Undefined when it serves the object itself. */
const kindThrough = ({ kind: partKind }: Subresource): Resource | undefined =>
  partKind && partKinds.find(({ kind }) => kind === partKind.kind)

const isText = (part: Subresource): boolean =>
  part.name === 'log' || (part.kind !== undefined && !kindThrough(part))

export const subresourcePaths = (objects: Objects, dialect: Dialect): JsonMap =>
  Object.fromEntries(
    subresourcesOf(objects.resource).flatMap((part) => pathsTo(objects, part, dialect)),
  )

/** Returns the schemas of the subresource kinds. */
export const subresourceComponents = (resource: Resource, { prefix }: Dialect): JsonMap =>
  Object.fromEntries(
    subresourcesOf(resource).flatMap((part) => Object.entries(componentsThrough(part, prefix))),
  )

function componentsThrough(part: Subresource, prefix: string): JsonMap {
  const kind = kindThrough(part)
  return kind ? componentsOf(kind, prefix) : {}
}

type Entry = [path: string, item: JsonMap]

function pathsTo(objects: Objects, part: Subresource, dialect: Dialect): Entry[] {
  const path = `${objects.path}/${part.name}`
  const parameters = [...objects.parameters]
  if (isText(part)) {
    const item = connections(objects, part, dialect)
    const rest = dialect.pathPart('path', 'Path at the target.')
    const proxyPaths: Entry[] =
      part.name === 'proxy'
        ? [[`${path}/{path}`, { ...renamed(item), parameters: [...parameters, rest] }]]
        : []
    return [[path, { ...item, parameters }], ...proxyPaths]
  }
  const subject = {
    resource: kindThrough(part) ?? objects.resource,
    tag: objects.tag,
    suffix: suffixOf(objects, part),
  }
  return [[path, { ...operations(subject, part.verbs, dialect), parameters }]]
}

const suffixOf = ({ resource }: Objects, { name }: Subresource): string =>
  `Of${resource.kind}${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`

const methods = {
  create: 'post',
  delete: 'delete',
  get: 'get',
  patch: 'patch',
  update: 'put',
} as const

/** Describes subresources that proxy a connection or return plain text. */
function connections(
  { resource, tag, ...rest }: Objects,
  part: Subresource,
  dialect: Dialect,
): Record<string, JsonMap> {
  const isLog = part.name === 'log'
  const of =
    isLog || !part.kind ? kindOf(resource) : { group: '', version: 'v1', kind: part.kind.kind }
  const connection = (verb: string): JsonMap => ({
    tags: [tag],
    description: `${part.name} of ${resource.kind}`,
    operationId: `${verb}${tag}${suffixOf({ resource, tag, ...rest }, part)}`,
    responses: {
      '200': dialect.plain([isLog ? 'text/plain' : '*/*'], { type: 'string' }),
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': isLog ? 'get' : 'connect',
    'x-kubernetes-group-version-kind': of,
  })
  return Object.fromEntries(part.verbs.map((verb) => [methods[verb], connection(verb)]))
}

const renamed = (item: Record<string, JsonMap>): JsonMap =>
  Object.fromEntries(
    Object.entries(item).map(([method, each]) => [
      method,
      { ...each, operationId: `${String(each.operationId)}Path` },
    ]),
  )
