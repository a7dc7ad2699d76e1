import { type JsonMap } from '../../objects/types.ts'
import { verbsOf } from '../discovery.ts'
import { type Resource } from '../../objects/resource.ts'
import { type Dialect } from './dialects.ts'
import { type Verb, operations } from './operations.ts'
import { subresourcePaths } from './subresource-paths.ts'

/** Returns all paths of the kind and its subresources. */
export function pathsOf(resource: Resource, dialect: Dialect): JsonMap {
  const { group, version, plural, namespaced } = resource
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`
  const inNamespace = namespaced ? [dialect.pathPart('namespace', 'Namespace of the objects.')] : []
  const inObject = [...inNamespace, dialect.pathPart('name', `Name of the ${resource.kind}.`)]
  const item = (
    path: string,
    verbs: readonly Verb[],
    { parameters, suffix = '' }: Item,
  ): JsonMap => {
    const served = verbs.filter((verb) => verbsOf(resource).includes(verb))
    if (served.length === 0) return {}
    const subject = { resource, tag: tagOf(resource), suffix }
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
    ...subresourcePaths(
      {
        resource,
        tag: tagOf(resource),
        path: `${collection}/{name}`,
        parameters: [...inObject, pretty(dialect)],
      },
      dialect,
    ),
    ...(namespaced
      ? item(`${root}/${plural}`, ['list'], { parameters: [], suffix: 'ForAllNamespaces' })
      : {}),
  }
}

interface Item {
  parameters: readonly JsonMap[]
  suffix?: string
}

function tagOf({ group, version }: Resource): string {
  const [first = ''] = group.split('.')
  return `${group === '' ? 'core' : first}_${version}`
}

const pretty = ({ query }: Dialect): JsonMap => query('pretty', 'string', 'Indents the response.')
