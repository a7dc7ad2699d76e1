import { type JsonMap } from '../../objects/types.ts'
import { type Resource } from '../../objects/resource.ts'
import { componentName, kindOf } from './components.ts'
import { type Dialect } from './dialects.ts'
import { sharedName } from './shared.ts'

export type Verb = 'list' | 'create' | 'deletecollection' | 'get' | 'update' | 'patch' | 'delete'

const methods = {
  list: 'get',
  create: 'post',
  deletecollection: 'delete',
  get: 'get',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
} as const

/** Values of `x-kubernetes-action`, by which clients find operations. */
const actions: Readonly<Record<Verb, string>> = {
  ...methods,
  list: 'list',
  deletecollection: 'deletecollection',
}

const jsonPatches = ['application/json-patch+json', 'application/merge-patch+json']
const bodies: readonly string[] = ['application/json', 'application/yaml']

/** The kind that an operation serves, the tag of its group, and the suffix of its operation id. */
export interface Subject {
  resource: Resource
  tag: string
  suffix: string
}

/** Returns the OpenAPI operations of one path, by HTTP method. */
export const operations = (subject: Subject, verbs: readonly Verb[], dialect: Dialect): JsonMap =>
  Object.fromEntries(verbs.map((verb) => [methods[verb], operation(subject, verb, dialect)]))

function operation({ resource, tag, suffix }: Subject, verb: Verb, dialect: Dialect): JsonMap {
  const { parameters, ...body } = bodyOf(resource, verb, dialect)
  const answer = dialect.answer(answerOf(resource, verb))
  return {
    tags: [tag],
    description: `${verb} ${resource.kind}`,
    operationId: `${verb}${tag}${resource.kind}${suffix}`,
    parameters: [...(Array.isArray(parameters) ? parameters : []), ...queryOf(verb, dialect)],
    ...body,
    responses: {
      '200': answer,
      ...(creatingVerbs.includes(verb) ? { '201': answer } : {}),
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': actions[verb],
    'x-kubernetes-group-version-kind': kindOf(resource),
  }
}

/** A patch can also create, because server-side apply does. */
const creatingVerbs: readonly Verb[] = ['create', 'patch']

function answerOf(resource: Resource, verb: Verb): string {
  if (verb === 'delete' || verb === 'deletecollection') return sharedName('Status')
  return verb === 'list' ? `${componentName(resource)}List` : componentName(resource)
}

function bodyOf(resource: Resource, verb: Verb, dialect: Dialect): JsonMap {
  if (verb === 'create' || verb === 'update') return dialect.body(bodies, componentName(resource))
  if (verb === 'delete' || verb === 'deletecollection')
    return dialect.body(bodies, sharedName('DeleteOptions'))
  const patches = [
    ...jsonPatches,
    ...(resource.custom ? [] : ['application/strategic-merge-patch+json']),
    'application/apply-patch+yaml',
  ]
  return verb === 'patch' ? dialect.body(patches, sharedName('Patch')) : {}
}

function queryOf(verb: Verb, { query }: Dialect): JsonMap[] {
  const dryRun = query('dryRun', 'string', 'All: nothing is stored.')
  const selection = [
    query('allowWatchBookmarks', 'boolean', 'Watch sends bookmarks.'),
    query('continue', 'string', 'Start of the page.'),
    query('fieldSelector', 'string', 'Selects objects by fields.'),
    query('labelSelector', 'string', 'Selects objects by labels.'),
    query('limit', 'integer', 'Page size.'),
    query('resourceVersion', 'string', 'Version that the response must have reached.'),
    query('resourceVersionMatch', 'string', 'Meaning of resourceVersion.'),
    query('sendInitialEvents', 'boolean', 'Watch begins with the existing objects.'),
    query('timeoutSeconds', 'integer', 'Timeout of a watch.'),
    query('watch', 'boolean', 'Watch changes instead of a list.'),
  ]
  const removal = [
    dryRun,
    query('gracePeriodSeconds', 'integer', 'Grace period before the object is killed.'),
    query('orphanDependents', 'boolean', 'Deprecated.'),
    query('propagationPolicy', 'string', 'Deletion of dependents.'),
  ]
  const writing = [
    dryRun,
    query('fieldManager', 'string', 'Field manager.'),
    query('fieldValidation', 'string', 'Handling of unknown fields: Ignore, Warn or Strict.'),
  ]
  const force = query('force', 'boolean', 'Apply takes over fields of other managers.')
  const byVerb: Readonly<Record<Verb, JsonMap[]>> = {
    get: [query('resourceVersion', 'string', 'Version that the response must have reached.')],
    list: selection,
    create: writing,
    update: writing,
    patch: [...writing, force],
    delete: removal,
    deletecollection: [...selection.slice(1, 7), ...removal],
  }
  return byVerb[verb]
}
