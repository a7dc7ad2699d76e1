import { type JsonMap } from '../../objects/types.ts'
import { sharedName, typeFields } from './shared.ts'
import { flag, object, text, texts } from './schema-builders.ts'

/** Schemas of the discovery responses. */

const served = object(
  'A kind in one version.',
  {
    categories: texts('Categories of the kind, such as all.'),
    group: text('Group of the kind when it differs from the group of the list.'),
    kind: text('Kind of the objects.'),
    name: text('Plural name in paths. A subresource has its name after a slash.'),
    namespaced: flag('True when objects belong to a namespace.'),
    shortNames: texts('Short names, such as vm.'),
    singularName: text('Singular name.'),
    storageVersionHash: text('Hash of the storage version.'),
    verbs: texts('Supported verbs.'),
    version: text('Version of the kind when it differs from the version of the list.'),
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
    groupVersion: text('The apiVersion of objects.'),
    version: text('The version alone.'),
  },
  'groupVersion',
  'version',
)

const address = object(
  'Server address for a range of clients.',
  {
    clientCIDR: text('Network of the clients.'),
    serverAddress: text('Host and port for these clients.'),
  },
  'clientCIDR',
  'serverAddress',
)

const requiredFields = [
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
const optionalFields = [
  'emulationMajor',
  'emulationMinor',
  'minCompatibilityMajor',
  'minCompatibilityMinor',
]

const version = object(
  'Version of the server.',
  Object.fromEntries(
    [...requiredFields, ...optionalFields].map((each) => [each, { type: 'string' }]),
  ),
  ...requiredFields,
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

/** The schemas are ordered: a schema comes before the schemas that it refers to. */
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
  listOf('Server addresses by client network.', 'ServerAddressByClientCIDR')

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
        description: 'The preferred version.',
      },
      serverAddressByClientCIDRs: addresses(references),
      versions: references.listOf('Versions in order of preference.', 'GroupVersionForDiscovery'),
    },
    'name',
    'versions',
  )

const resourceList = ({ listOf }: References): JsonMap =>
  object(
    'Kinds of one group and version.',
    {
      ...typeFields,
      groupVersion: text('The group and version.'),
      resources: listOf('Kinds and their subresources.', 'APIResource'),
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
