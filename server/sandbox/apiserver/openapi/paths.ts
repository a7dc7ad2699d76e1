import { type JsonMap } from '../../objects/types.ts'
import { verbsOf } from '../discovery.ts'
import { type Resource } from '../../objects/resource.ts'
import { type Dialect } from './dialects.ts'
import { type Verb, operations } from './operations.ts'
import { partPaths } from './part-paths.ts'

/** Every path that serves the kind or a part of its objects. */
export function pathsOf(resource: Resource, dialect: Dialect): JsonMap {
  const { group, version, plural, namespaced } = resource
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`
  const inNamespace = namespaced
    ? [dialect.pathPart('namespace', 'Namespace that the objects are in.')]
    : []
  const inObject = [...inNamespace, dialect.pathPart('name', `Name of the ${resource.kind}.`)]
  const item = (
    path: string,
    verbs: readonly Verb[],
    { parameters, place = '' }: Item,
  ): JsonMap => {
    const served = verbs.filter((verb) => verbsOf(resource).includes(verb))
    if (served.length === 0) return {}
    const subject = { resource, tag: tagOf(resource), place }
    return {
      [path]: {
        ...operations(subject, served, dialect),
        parameters: [...parameters, pretty(dialect)],
      },
    }
  }
  return {
    ...item(collection, ['list', 'create', 'deletecollection'], { parameters: inNamespace }),
    ...item(`${collection}/{name}`, ['get', 'update', 'patch', 'delete'], { parameters: inObject }),
    ...partPaths(
      {
        resource,
        tag: tagOf(resource),
        path: `${collection}/{name}`,
        parameters: [...inObject, pretty(dialect)],
      },
      dialect,
    ),
    ...(namespaced
      ? item(`${root}/${plural}`, ['list'], { parameters: [], place: 'ForAllNamespaces' })
      : {}),
  }
}

interface Item {
  parameters: readonly JsonMap[]
  place?: string
}

function tagOf({ group, version }: Resource): string {
  const [first = ''] = group.split('.')
  return `${group === '' ? 'core' : first}_${version}`
}

const pretty = ({ query }: Dialect): JsonMap =>
  query('pretty', 'string', 'Whether the answer is indented.')
