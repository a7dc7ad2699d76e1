import { type JsonMap } from '../../objects/types.ts'
import { count, flag, object, text, textMap, texts, time } from './words.ts'

/** What every document refers to, in words of our own. */
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'

export const sharedName = (name: string): string => `${meta}.${name}`

export const typeFields = {
  apiVersion: text('Group and version of the schema that the object follows.'),
  kind: text('What the object is, in one word of that group.'),
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
  object('What every stored object has.', {
    annotations: textMap('Notes of tools; nothing is selected by them.'),
    creationTimestamp: time('When the object was made.'),
    deletionGracePeriodSeconds: count('How long the object is given to end.'),
    deletionTimestamp: time('When the object is to be gone; set by a delete.'),
    finalizers: {
      ...texts('Who has work to do before the object may go.'),
      'x-kubernetes-list-type': 'set',
      ...merging,
    },
    generateName: text('Beginning of a name that the server completes.'),
    generation: count('How often the wish has changed.'),
    labels: textMap('What objects are selected by.'),
    managedFields: listOf('Who set which fields.', 'ManagedFieldsEntry', {
      'x-kubernetes-list-type': 'atomic',
    }),
    name: text('Name, unique in the namespace.'),
    namespace: text('Namespace that the object is in.'),
    ownerReferences: listOf('Objects that this one goes with.', 'OwnerReference', byUid),
    resourceVersion: text('Version of what is stored.'),
    selfLink: text('Not used any more.'),
    uid: text('Tells the object from others that had or will have its name.'),
  })

const listMeta = object('What every list has.', {
  continue: text('Where the next page begins.'),
  remainingItemCount: count('How many objects come after this page.'),
  resourceVersion: text('Version of the list, to watch from.'),
  selfLink: text('Not used any more.'),
})

const ownerReference = object(
  'An object that another one goes with.',
  {
    apiVersion: text('Group and version of the owner.'),
    blockOwnerDeletion: flag('Whether the owner waits for this object in a foreground delete.'),
    controller: flag('Whether the owner manages the object.'),
    kind: text('Kind of the owner.'),
    name: text('Name of the owner.'),
    uid: text('Identity of the owner.'),
  },
  'apiVersion',
  'kind',
  'name',
  'uid',
)

const managedFieldsEntry = object('Fields that one manager set.', {
  apiVersion: text('Version in which the fields are named.'),
  fieldsType: text('How the fields are written.'),
  fieldsV1: { type: 'object', description: 'The fields.' },
  manager: text('Who set them.'),
  operation: text('Whether they were applied or written.'),
  subresource: text('Through which part of the object.'),
  time: time('When they changed last.'),
})

const deleteOptions = (kinds: readonly JsonMap[]): JsonMap => ({
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
})

const status = (prefix: string): JsonMap => ({
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
