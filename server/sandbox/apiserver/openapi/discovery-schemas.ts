import { type JsonMap } from '../../objects/types.ts'
import { sharedName, typeFields } from './shared.ts'
import { flag, object, text, texts } from './words.ts'

/** What discovery answers with. */

const served = object(
  'A kind in one version.',
  {
    categories: texts('Groups of kinds that it is listed with.'),
    group: text('Group of what is told through it, where that is another.'),
    kind: text('Kind of the objects.'),
    name: text('Plural name, as paths have it; with the name of the part, where it is one.'),
    namespaced: flag('Whether the objects are in namespaces.'),
    shortNames: texts('What it is called for short.'),
    singularName: text('Singular name.'),
    storageVersionHash: text('Tells when objects are kept in another version.'),
    verbs: texts('What can be done with it.'),
    version: text('Version of what is told through it, where that is another.'),
  },
  'name',
  'singularName',
  'namespaced',
  'kind',
  'verbs',
)

const groupVersion = object(
  'One version of a group.',
  {
    groupVersion: text('Group and version, as objects have it.'),
    version: text('The version alone.'),
  },
  'groupVersion',
  'version',
)

const address = object(
  'Where some clients reach the server.',
  {
    clientCIDR: text('Network that the clients are in.'),
    serverAddress: text('Host and port for them.'),
  },
  'clientCIDR',
  'serverAddress',
)

const sure = [
  'major',
  'minor',
  'gitVersion',
  'gitCommit',
  'gitTreeState',
  'buildDate',
  'goVersion',
  'compiler',
  'platform',
]
const unsure = [
  'emulationMajor',
  'emulationMinor',
  'minCompatibilityMajor',
  'minCompatibilityMinor',
]

const version = object(
  'What the server is built of.',
  Object.fromEntries([...sure, ...unsure].map((each) => [each, { type: 'string' }])),
  ...sure,
)

export const versionName = 'io.k8s.apimachinery.pkg.version.Info'

interface References {
  to(name: string): JsonMap
  listOf(description: string, name: string): JsonMap
}

const referencesIn = (prefix: string): References => {
  const to = (name: string): JsonMap => ({
    allOf: [{ $ref: `${prefix}${sharedName(name)}` }],
    default: {},
  })
  return { to, listOf: (description, name) => ({ type: 'array', description, items: to(name) }) }
}

/** A schema that refers to others stands before them. */
export function discoverySchemas(prefix: string): JsonMap {
  const references = referencesIn(prefix)
  return {
    ...kindSchema('APIGroupList', groupList(references)),
    ...kindSchema('APIGroup', group(references)),
    ...kindSchema('APIResourceList', resourceList(references)),
    ...kindSchema('APIVersions', versions(references)),
    [sharedName('APIResource')]: served,
    [sharedName('GroupVersionForDiscovery')]: groupVersion,
    [sharedName('ServerAddressByClientCIDR')]: address,
    [versionName]: version,
  }
}

const kindSchema = (name: string, schema: JsonMap): JsonMap => ({
  [sharedName(name)]: {
    ...schema,
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: name }],
  },
})

const addresses = ({ listOf }: References): JsonMap =>
  listOf('Where clients reach the server.', 'ServerAddressByClientCIDR')

const groupList = ({ listOf }: References): JsonMap =>
  object('All groups.', { ...typeFields, groups: listOf('The groups.', 'APIGroup') }, 'groups')

const group = (references: References): JsonMap =>
  object(
    'A group and its versions.',
    {
      ...typeFields,
      name: text('Name of the group.'),
      preferredVersion: {
        ...references.to('GroupVersionForDiscovery'),
        description: 'The version to take.',
      },
      serverAddressByClientCIDRs: addresses(references),
      versions: references.listOf('Its versions, best first.', 'GroupVersionForDiscovery'),
    },
    'name',
    'versions',
  )

const resourceList = ({ listOf }: References): JsonMap =>
  object(
    'What is served of a group in one version.',
    {
      ...typeFields,
      groupVersion: text('The group and version.'),
      resources: listOf('The kinds and their parts.', 'APIResource'),
    },
    'groupVersion',
    'resources',
  )

const versions = (references: References): JsonMap =>
  object(
    'Versions of the core group.',
    {
      ...typeFields,
      serverAddressByClientCIDRs: addresses(references),
      versions: texts('The versions.'),
    },
    'serverAddressByClientCIDRs',
    'versions',
  )
