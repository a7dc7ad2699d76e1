import { type JsonMap } from '../../objects/types.ts'
import { count, flag, object, text, textMap, texts, time } from './schema-builders.ts'

/** Schemas that every document refers to. The descriptions are our own text. */
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'

export const sharedName = (name: string): string => `${meta}.${name}`

export const typeFields = {
  apiVersion: text('Group and version of the schema.'),
  kind: text('Kind of the object.'),
}

const merging = { 'x-kubernetes-patch-strategy': 'merge' }
const byUid = {
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['uid'],
  'x-kubernetes-patch-merge-key': 'uid',
  ...merging,
}

type ListOf = (description: string, item: string, more: JsonMap) => JsonMap

const objectMeta = (listOf: ListOf): JsonMap =>
  object('Metadata of a stored object.', {
    annotations: textMap('Annotations of tools. Selectors do not use them.'),
    creationTimestamp: time('Creation time.'),
    deletionGracePeriodSeconds: count('Grace period before the object is killed.'),
    deletionTimestamp: time('Deadline of the deletion, set by a delete.'),
    finalizers: {
      ...texts('Controllers that must finish before the object is removed.'),
      'x-kubernetes-list-type': 'set',
      ...merging,
    },
    generateName: text('Prefix of a generated name.'),
    generation: count('Number of changes of the desired state.'),
    labels: textMap('Labels for selectors.'),
    managedFields: listOf('Fields by manager.', 'ManagedFieldsEntry', {
      'x-kubernetes-list-type': 'atomic',
    }),
    name: text('Name, unique in the namespace.'),
    namespace: text('Namespace of the object.'),
    ownerReferences: listOf('Owners of the object.', 'OwnerReference', byUid),
    resourceVersion: text('Stored version of the object.'),
    selfLink: text('Deprecated.'),
    uid: text('Unique identity of the object, also among objects of the same name.'),
  })

const listMeta = object('Metadata of a list.', {
  continue: text('Token of the next page.'),
  remainingItemCount: count('Number of objects after this page.'),
  resourceVersion: text('Version of the list, to watch from.'),
  selfLink: text('Deprecated.'),
})

const ownerReference = object(
  'The owner of an object.',
  {
    apiVersion: text('Group and version of the owner.'),
    blockOwnerDeletion: flag('A foreground deletion of the owner waits for this object.'),
    controller: flag('The owner is the managing controller.'),
    kind: text('Kind of the owner.'),
    name: text('Name of the owner.'),
    uid: text('Identity of the owner.'),
  },
  'apiVersion',
  'kind',
  'name',
  'uid',
)

const managedFieldsEntry = object('Fields of one manager.', {
  apiVersion: text('Version of the field names.'),
  fieldsType: text('Format of the fields.'),
  fieldsV1: { type: 'object', description: 'The fields.' },
  manager: text('Name of the manager.'),
  operation: text('Apply or Update.'),
  subresource: text('Subresource of the write.'),
  time: time('Time of the last change.'),
})

const deleteOptions = (kinds: readonly JsonMap[]): JsonMap => ({
  ...object('Options of a deletion.', {
    ...typeFields,
    dryRun: texts('Dry run: nothing is stored.'),
    gracePeriodSeconds: count('Grace period before the object is killed.'),
    orphanDependents: flag('Deprecated.'),
    preconditions: object('Conditions of the deletion.', {
      resourceVersion: text('Required version of the object.'),
      uid: text('Required UID of the object.'),
    }),
    propagationPolicy: text('Deletion of dependents.'),
  }),
  'x-kubernetes-group-version-kind': [...kinds],
})

const status = (prefix: string): JsonMap => ({
  ...object('Result of a request.', {
    ...typeFields,
    code: { type: 'integer', format: 'int32', description: 'HTTP status code.' },
    details: { type: 'object', description: 'Details of the result.' },
    message: text('Result as a sentence.'),
    metadata: { allOf: [{ $ref: `${prefix}${meta}.ListMeta` }], default: {} },
    reason: text('Result as one word.'),
    status: text('Success or Failure.'),
  }),
  'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Status' }],
})

export function sharedComponents(prefix: string, kinds: readonly JsonMap[]): JsonMap {
  const listOf: ListOf = (description, item, more) => ({
    type: 'array',
    description,
    items: { allOf: [{ $ref: `${prefix}${meta}.${item}` }], default: {} },
    ...more,
  })
  return {
    [sharedName('ObjectMeta')]: objectMeta(listOf),
    [sharedName('ListMeta')]: listMeta,
    [sharedName('OwnerReference')]: ownerReference,
    [sharedName('ManagedFieldsEntry')]: managedFieldsEntry,
    [sharedName('DeleteOptions')]: deleteOptions(kinds),
    [sharedName('Patch')]: object('A change of an object.', {}),
    [sharedName('Status')]: status(prefix),
  }
}
