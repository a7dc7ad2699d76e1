import { type JsonMap } from '../types.ts'
import { type Resource } from '../resource.ts'
import { componentName, kindOf } from './components.ts'
import { sharedName } from './shared.ts'

/** How a version of OpenAPI writes what an operation takes and gives. */
export interface Dialect {
  /** In front of the names of schemas. */
  prefix: string
  query(name: string, type: 'string' | 'boolean' | 'integer', description: string): JsonMap
  pathPart(name: string, description: string): JsonMap
  /** Of a body that the operation takes. */
  body(types: readonly string[], schema: string): JsonMap
  answer(schema: string): JsonMap
}

type Verb = 'list' | 'create' | 'deletecollection' | 'get' | 'update' | 'patch' | 'delete'

const methods = {
  list: 'get',
  create: 'post',
  deletecollection: 'delete',
  get: 'get',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
} as const

/** The word for the verb in the extension that clients find operations by. */
const actions: Readonly<Record<Verb, string>> = { ...methods, list: 'list', deletecollection: 'deletecollection' }

const jsonPatches = ['application/json-patch+json', 'application/merge-patch+json']
const bodies: readonly string[] = ['application/json', 'application/yaml']

/** Every path that serves the kind. */
export function pathsOf(resource: Resource, dialect: Dialect): JsonMap {
  const { group, version, plural, namespaced } = resource
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`
  const inNamespace = namespaced ? [dialect.pathPart('namespace', 'Namespace that the objects are in.')] : []
  const inObject = [...inNamespace, dialect.pathPart('name', `Name of the ${resource.kind}.`)]
  const collectionVerbs: Verb[] = group === '' && plural === 'namespaces' ? ['list', 'create'] : ['list', 'create', 'deletecollection']
  const item = (path: string, verbs: readonly Verb[], parameters: readonly JsonMap[]): JsonMap => ({
    [path]: { ...operations(resource, verbs, dialect), parameters: [...parameters, pretty(dialect)] },
  })
  return {
    ...item(collection, collectionVerbs, inNamespace),
    ...item(`${collection}/{name}`, ['get', 'update', 'patch', 'delete'], inObject),
    ...(resource.status ? item(`${collection}/{name}/status`, ['get', 'update', 'patch'], inObject) : {}),
    ...(namespaced ? item(`${root}/${plural}`, ['list'], []) : {}),
  }
}

const operations = (resource: Resource, verbs: readonly Verb[], dialect: Dialect): JsonMap =>
  Object.fromEntries(verbs.map((verb) => [methods[verb], operation(resource, verb, dialect)]))

function operation(resource: Resource, verb: Verb, dialect: Dialect): JsonMap {
  const { group, version, kind } = resource
  const [first = ''] = group.split('.')
  const tag = `${group === '' ? 'core' : first}_${version}`
  const { parameters, ...body } = bodyOf(resource, verb, dialect)
  return {
    tags: [tag],
    description: `${verb} ${kind}`,
    operationId: `${verb}${tag}${kind}`,
    parameters: [...(Array.isArray(parameters) ? parameters : []), ...queryOf(verb, dialect)],
    ...body,
    responses: { '200': dialect.answer(answerOf(resource, verb)), '401': { description: 'Unauthorized' } },
    'x-kubernetes-action': actions[verb],
    'x-kubernetes-group-version-kind': kindOf(resource),
  }
}

function answerOf(resource: Resource, verb: Verb): string {
  if (verb === 'delete' || verb === 'deletecollection') return sharedName('Status')
  return verb === 'list' ? `${componentName(resource)}List` : componentName(resource)
}

function bodyOf(resource: Resource, verb: Verb, dialect: Dialect): JsonMap {
  if (verb === 'create' || verb === 'update') return dialect.body(bodies, componentName(resource))
  if (verb === 'delete' || verb === 'deletecollection') return dialect.body(bodies, sharedName('DeleteOptions'))
  const patches = [...jsonPatches, ...(resource.custom ? [] : ['application/strategic-merge-patch+json']), 'application/apply-patch+yaml']
  return verb === 'patch' ? dialect.body(patches, sharedName('Patch')) : {}
}

const pretty = ({ query }: Dialect): JsonMap => query('pretty', 'string', 'Whether the answer is indented.')

function queryOf(verb: Verb, { query }: Dialect): JsonMap[] {
  const dryRun = query('dryRun', 'string', 'All: nothing is stored.')
  const selection = [
    query('allowWatchBookmarks', 'boolean', 'Whether a watch tells how far it is.'),
    query('continue', 'string', 'Where the page begins.'),
    query('fieldSelector', 'string', 'Fields that the objects must have.'),
    query('labelSelector', 'string', 'Labels that the objects must have.'),
    query('limit', 'integer', 'How many objects a page has.'),
    query('resourceVersion', 'string', 'Version that the answer must have reached.'),
    query('resourceVersionMatch', 'string', 'How the version is meant.'),
    query('sendInitialEvents', 'boolean', 'Whether a watch begins with what is there.'),
    query('timeoutSeconds', 'integer', 'How long a watch lasts.'),
    query('watch', 'boolean', 'Whether changes are told instead of the list.'),
  ]
  const removal = [
    dryRun,
    query('gracePeriodSeconds', 'integer', 'How long the object is given to end.'),
    query('orphanDependents', 'boolean', 'Not used any more.'),
    query('propagationPolicy', 'string', 'What becomes of what the object owns.'),
  ]
  const writing = [
    dryRun,
    query('fieldManager', 'string', 'Who writes.'),
    query('fieldValidation', 'string', 'Ignore, Warn or Strict: what becomes of unknown fields.'),
  ]
  const force = query('force', 'boolean', 'Whether an apply takes fields from other managers.')
  const byVerb: Readonly<Record<Verb, JsonMap[]>> = {
    get: [query('resourceVersion', 'string', 'Version that the answer must have reached.')],
    list: selection,
    create: writing,
    update: writing,
    patch: [...writing, force],
    delete: removal,
    deletecollection: [...selection.slice(1, 7), ...removal],
  }
  return byVerb[verb]
}
