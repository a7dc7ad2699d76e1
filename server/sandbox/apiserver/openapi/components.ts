import { type Json, type JsonMap } from '../types.ts'
import { type Resource, type Schema } from '../resource.ts'

/** The schemas of kinds as OpenAPI documents have them: named, with their kind, and with references to what all of them share. */

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** Built-in groups lie in Go packages that are not always called like them. */
const packages: Readonly<Record<string, string>> = {
  '': 'io.k8s.api.core',
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
}

export function componentName({ group, version, kind, custom }: Resource): string {
  if (custom) return `${group.split('.').reverse().join('.')}.${version}.${kind}`
  const [first = ''] = group.split('.')
  return `${packages[group] ?? `io.k8s.api.${first}`}.${version}.${kind}`
}

export const kindOf = ({ group, version, kind }: Pick<Resource, 'group' | 'version' | 'kind'>): JsonMap => ({ group, version, kind })

const text = (description: string): JsonMap => ({ type: 'string', description })

const typeFields = {
  apiVersion: text('Group and version of the schema that the object follows.'),
  kind: text('What the object is, in one word of that group.'),
}

/** All that the documents say of one kind: the object and the list of it. */
export function componentsOf(resource: Resource, prefix: string): JsonMap {
  const name = componentName(resource)
  const reference = (to: string): JsonMap => ({ $ref: `${prefix}${to}` })
  const { properties: own = {}, ...schema } = resource.schema
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = own
  return {
    [name]: {
      ...schemaJson(schema, resource),
      description: `${resource.kind} of ${resource.group || 'the core group'}, version ${resource.version}.`,
      properties: {
        ...typeFields,
        metadata: {
          allOf: [reference(`${meta}.ObjectMeta`)],
          default: {},
          description: 'Name, labels and what the server notes of the object.',
        },
        ...propertiesJson(fields, resource),
      },
      'x-kubernetes-group-version-kind': [kindOf(resource)],
    },
    [`${name}List`]: {
      type: 'object',
      description: `A list of ${resource.kind}.`,
      required: ['items'],
      properties: {
        ...typeFields,
        metadata: { allOf: [reference(`${meta}.ListMeta`)], default: {}, description: 'What the server notes of the list.' },
        items: { type: 'array', description: 'The objects.', items: { allOf: [reference(name)], default: {} } },
      },
      'x-kubernetes-group-version-kind': [kindOf({ ...resource, kind: `${resource.kind}List` })],
    },
  }
}

const propertiesJson = (properties: Readonly<Record<string, Schema>>, resource: Resource): JsonMap =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schemaJson(schema, resource)]))

/** The rules are code here and left out; for built-in kinds the lists that merge also say so in the older words. */
function schemaJson(schema: Schema, resource: Resource): JsonMap {
  const { properties, additionalProperties, items, rules: _rules, ...rest } = schema
  return {
    // What is left are plain values.
    ...(rest as { [key: string]: Json }),
    ...(resource.custom ? {} : mergeWords(schema)),
    ...(properties ? { properties: propertiesJson(properties, resource) } : {}),
    ...(additionalProperties ? { additionalProperties: schemaJson(additionalProperties, resource) } : {}),
    ...(items ? { items: schemaJson(items, resource) } : {}),
  }
}

function mergeWords(schema: Schema): JsonMap {
  const type = schema['x-kubernetes-list-type']
  const [key] = schema['x-kubernetes-list-map-keys'] ?? []
  if (type === 'set') return { 'x-kubernetes-patch-strategy': 'merge' }
  return type === 'map' && key !== undefined ? { 'x-kubernetes-patch-merge-key': key, 'x-kubernetes-patch-strategy': 'merge' } : {}
}

const texts = (description: string): JsonMap => ({ type: 'array', description, items: { type: 'string', default: '' } })
const textMap = (description: string): JsonMap => ({ type: 'object', description, additionalProperties: { type: 'string', default: '' } })
const count = (description: string): JsonMap => ({ type: 'integer', format: 'int64', description })
const time = (description: string): JsonMap => ({ type: 'string', format: 'date-time', description })
const flag = (description: string): JsonMap => ({ type: 'boolean', description })
const object = (description: string, properties: JsonMap, ...required: string[]): JsonMap => ({
  type: 'object',
  description,
  properties,
  ...(required.length > 0 ? { required } : {}),
})

/** What every document refers to. */
export function sharedComponents(prefix: string, kinds: readonly JsonMap[]): JsonMap {
  const listOf = (description: string, item: string, words: JsonMap = {}): JsonMap => ({
    type: 'array',
    description,
    items: { allOf: [{ $ref: `${prefix}${meta}.${item}` }], default: {} },
    ...words,
  })
  const merging = { 'x-kubernetes-patch-strategy': 'merge' }
  const byUid = {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['uid'],
    'x-kubernetes-patch-merge-key': 'uid',
    ...merging,
  }
  return {
    [`${meta}.ObjectMeta`]: object('What every stored object has.', {
      annotations: textMap('Notes of tools; nothing is selected by them.'),
      creationTimestamp: time('When the object was made.'),
      deletionGracePeriodSeconds: count('How long the object is given to end.'),
      deletionTimestamp: time('When the object is to be gone; set by a delete.'),
      finalizers: { ...texts('Who has work to do before the object may go.'), 'x-kubernetes-list-type': 'set', ...merging },
      generateName: text('Beginning of a name that the server completes.'),
      generation: count('How often the wish has changed.'),
      labels: textMap('What objects are selected by.'),
      managedFields: listOf('Who set which fields.', 'ManagedFieldsEntry', { 'x-kubernetes-list-type': 'atomic' }),
      name: text('Name, unique in the namespace.'),
      namespace: text('Namespace that the object is in.'),
      ownerReferences: listOf('Objects that this one goes with.', 'OwnerReference', byUid),
      resourceVersion: text('Version of what is stored.'),
      selfLink: text('Not used any more.'),
      uid: text('Tells the object from others that had or will have its name.'),
    }),
    [`${meta}.ListMeta`]: object('What every list has.', {
      continue: text('Where the next page begins.'),
      remainingItemCount: count('How many objects come after this page.'),
      resourceVersion: text('Version of the list, to watch from.'),
      selfLink: text('Not used any more.'),
    }),
    [`${meta}.OwnerReference`]: object(
      'An object that another one goes with.',
      {
        apiVersion: text('Group and version of the owner.'),
        blockOwnerDeletion: flag('Whether the owner waits for this object in a foreground delete.'),
        controller: flag('Whether the owner manages the object.'),
        kind: text('Kind of the owner.'),
        name: text('Name of the owner.'),
        uid: text('Identity of the owner.'),
      },
      ...['apiVersion', 'kind', 'name', 'uid'],
    ),
    [`${meta}.ManagedFieldsEntry`]: object('Fields that one manager set.', {
      apiVersion: text('Version in which the fields are named.'),
      fieldsType: text('How the fields are written.'),
      fieldsV1: { type: 'object', description: 'The fields.' },
      manager: text('Who set them.'),
      operation: text('Whether they were applied or written.'),
      subresource: text('Through which part of the object.'),
      time: time('When they changed last.'),
    }),
    [`${meta}.DeleteOptions`]: {
      ...object('How something is deleted.', {
        ...typeFields,
        dryRun: texts('Whether it is only tried.'),
        gracePeriodSeconds: count('How long the object is given to end.'),
        orphanDependents: flag('Not used any more.'),
        preconditions: object('What must be so for the delete to happen.', {
          resourceVersion: text('Version that the object must have.'),
          uid: text('Identity that the object must have.'),
        }),
        propagationPolicy: text('What becomes of what the object owns.'),
      }),
      'x-kubernetes-group-version-kind': [...kinds],
    },
    [`${meta}.Patch`]: object('A change of an object.', {}),
    [`${meta}.Status`]: {
      ...object('What became of a request.', {
        ...typeFields,
        code: { type: 'integer', format: 'int32', description: 'Status of HTTP.' },
        details: { type: 'object', description: 'What it was about.' },
        message: text('What happened, in a sentence.'),
        metadata: { allOf: [{ $ref: `${prefix}${meta}.ListMeta` }], default: {} },
        reason: text('What happened, in one word.'),
        status: text('Success or Failure.'),
      }),
      'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Status' }],
    },
  }
}

export const sharedName = (name: string): string => `${meta}.${name}`
