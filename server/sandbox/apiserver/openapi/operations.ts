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

/** The word for the verb in the extension that clients find operations by. */
const actions: Readonly<Record<Verb, string>> = {
  ...methods,
  list: 'list',
  deletecollection: 'deletecollection',
}

const jsonPatches = ['application/json-patch+json', 'application/merge-patch+json']
const bodies: readonly string[] = ['application/json', 'application/yaml']

/**
 * What an operation is about: a kind, told under the tag of a group at some place of its objects.
 */
export interface Subject {
  resource: Resource
  tag: string
  place: string
}

export const operations = (subject: Subject, verbs: readonly Verb[], dialect: Dialect): JsonMap =>
  Object.fromEntries(verbs.map((verb) => [methods[verb], operation(subject, verb, dialect)]))

function operation({ resource, tag, place }: Subject, verb: Verb, dialect: Dialect): JsonMap {
  const { parameters, ...body } = bodyOf(resource, verb, dialect)
  const answer = dialect.answer(answerOf(resource, verb))
  return {
    tags: [tag],
    description: `${verb} ${resource.kind}`,
    operationId: `${verb}${tag}${resource.kind}${place}`,
    parameters: [...(Array.isArray(parameters) ? parameters : []), ...queryOf(verb, dialect)],
    ...body,
    responses: {
      '200': answer,
      ...(makes.includes(verb) ? { '201': answer } : {}),
      '401': { description: 'Unauthorized' },
    },
    'x-kubernetes-action': actions[verb],
    'x-kubernetes-group-version-kind': kindOf(resource),
  }
}

/** An apply makes what is not there. */
const makes: readonly Verb[] = ['create', 'patch']

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
