import { type JsonMap } from '../../objects/types.ts'
import { tokenRequests } from '../authentication/rows.ts'
import { takenRows } from '../parts/unstored-rows.ts'
import { type Resource, type Subresource, subresourcesOf } from '../../objects/resource.ts'
import { componentsOf, kindOf } from './components.ts'
import { type Dialect } from './dialects.ts'
import { operations } from './operations.ts'

/** Objects of a kind, and the path of one of them. */
interface Objects {
  resource: Resource
  tag: string
  path: string
  parameters: readonly JsonMap[]
}

const taken: readonly Resource[] = [...Object.values(takenRows), tokenRequests]

/** What goes through the part: another kind, or the object itself. */
const kindThrough = ({ kind: told }: Subresource): Resource | undefined =>
  told && taken.find(({ kind }) => kind === told.kind)

const isText = (part: Subresource): boolean =>
  part.name === 'log' || (part.kind !== undefined && !kindThrough(part))

export const partPaths = (objects: Objects, dialect: Dialect): JsonMap =>
  Object.fromEntries(
    subresourcesOf(objects.resource).flatMap((part) => pathsTo(objects, part, dialect)),
  )

/** Schemas of what goes through the parts of a kind. */
export const partComponents = (resource: Resource, { prefix }: Dialect): JsonMap =>
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
    const beyond = dialect.pathPart('path', 'What is asked for there.')
    const further: Entry[] =
      part.name === 'proxy'
        ? [[`${path}/{path}`, { ...renamed(item), parameters: [...parameters, beyond] }]]
        : []
    return [[path, { ...item, parameters }], ...further]
  }
  const subject = {
    resource: kindThrough(part) ?? objects.resource,
    tag: objects.tag,
    place: placeOf(objects, part),
  }
  return [[path, { ...operations(subject, part.verbs, dialect), parameters }]]
}

const placeOf = ({ resource }: Objects, { name }: Subresource): string =>
  `Of${resource.kind}${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`

const methods = {
  create: 'post',
  delete: 'delete',
  get: 'get',
  patch: 'patch',
  update: 'put',
} as const

/** What is let through or told as it is. */
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
    operationId: `${verb}${tag}${placeOf({ resource, tag, ...rest }, part)}`,
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
