import { type JsonMap } from '../types.ts'
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

/** Those that refer to others come before them. */
export function discoverySchemas(prefix: string): JsonMap {
  const reference = (name: string): JsonMap => ({
    allOf: [{ $ref: `${prefix}${sharedName(name)}` }],
    default: {},
  })
  const listOf = (description: string, name: string): JsonMap => ({
    type: 'array',
    description,
    items: reference(name),
  })
  const kind = (name: string, schema: JsonMap): JsonMap => ({
    [sharedName(name)]: {
      ...schema,
      'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: name }],
    },
  })
  const addresses = listOf('Where clients reach the server.', 'ServerAddressByClientCIDR')
  const group = {
    name: text('Name of the group.'),
    preferredVersion: {
      ...reference('GroupVersionForDiscovery'),
      description: 'The version to take.',
    },
    serverAddressByClientCIDRs: addresses,
    versions: listOf('Its versions, best first.', 'GroupVersionForDiscovery'),
  }
  const versions = { serverAddressByClientCIDRs: addresses, versions: texts('The versions.') }
  const resources = {
    groupVersion: text('The group and version.'),
    resources: listOf('The kinds and their parts.', 'APIResource'),
  }
  return {
    ...kind(
      'APIGroupList',
      object('All groups.', { ...typeFields, groups: listOf('The groups.', 'APIGroup') }, 'groups'),
    ),
    ...kind(
      'APIGroup',
      object('A group and its versions.', { ...typeFields, ...group }, 'name', 'versions'),
    ),
    ...kind(
      'APIResourceList',
      object(
        'What is served of a group in one version.',
        { ...typeFields, ...resources },
        ...Object.keys(resources),
      ),
    ),
    ...kind(
      'APIVersions',
      object(
        'Versions of the core group.',
        { ...typeFields, ...versions },
        ...Object.keys(versions),
      ),
    ),
    [sharedName('APIResource')]: served,
    [sharedName('GroupVersionForDiscovery')]: groupVersion,
    [sharedName('ServerAddressByClientCIDR')]: address,
    [versionName]: version,
  }
}
