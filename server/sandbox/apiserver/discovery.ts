import { createHash } from 'node:crypto'
import { type IncomingHttpHeaders } from 'node:http'
import { type JsonMap } from '../objects/types.ts'
import { type Answer } from './request.ts'
import {
  type Resource,
  type Subresource,
  resourceName,
  subresourcesOf,
} from '../objects/resource.ts'
import { type Registry } from '../kinds/registry.ts'
import { isReview, reviewRows } from './authorization/rows.ts'
import { unstoredRows } from './subresources/unstored-kinds.ts'
import {
  aggregatedEntries,
  aggregatedGroup,
  aggregatedResources,
  aggregatedVersions,
} from '../kinds/kubevirt/aggregated.ts'

const builtInVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]
const customVerbs = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
]
const aggregated = /g=apidiscovery\.k8s\.io;v=v2;as=APIGroupDiscoveryList/

/** The Kubernetes version that the sandbox reports at `/version`. */
export const version: JsonMap = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.2',
  gitCommit: '98b35193b2ac7a23a673325f5e9b830ecd5ba406',
  gitTreeState: 'clean',
  buildDate: '2026-06-10T12:00:00Z',
  goVersion: 'go1.26.10',
  compiler: 'gc',
  platform: 'linux/amd64',
}

/** Answers the discovery requests of clients. Null when the path is not a discovery path. */
export function discover(
  registry: Registry,
  path: string,
  { accept = '', host = '' }: IncomingHttpHeaders,
): Answer | null {
  const rows = servedRows(registry)
  const requestedPath = path.replace(/\/$/, '')
  if (requestedPath === '/version') return { status: 200, body: version }
  const prefersAggregated = aggregated.test(accept.replaceAll(' ', ''))
  if (requestedPath === '/api')
    return prefersAggregated ? discoveryList(rows, ['']) : { status: 200, body: coreVersions(host) }
  if (requestedPath === '/api/v1') return resourceList(rows, '', 'v1')
  if (requestedPath === '/apis')
    return prefersAggregated ? discoveryList(rows, groups(rows)) : groupList(rows)
  return discoverGroup(rows, requestedPath)
}

function discoverGroup(rows: Rows, path: string): Answer | null {
  const [, group = '', groupVersion] = /^\/apis\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
  if (!groups(rows).includes(group)) return null
  if (groupVersion !== undefined) return resourceList(rows, group, groupVersion)
  return { status: 200, body: { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(rows, group) } }
}

const coreVersions = (address: string): JsonMap => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
})

type Rows = readonly Resource[]

/** All kinds that the cluster serves, stored or not, in every group that serves them. */
export const servedRows = ({ served: resources }: Registry): Rows => [
  ...resources,
  ...reviewRows,
  ...unstoredRows,
]

/**
 * The built-in groups in the order of an API server. Other groups follow, sorted by their version
 * and name.
 */
const builtInOrder: readonly string[] = [
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
]

const groups = (rows: Rows): string[] => {
  const all = [...new Set([...rows.map((row) => row.group), aggregatedGroup])].filter(
    (group) => group !== '',
  )
  const rank = (group: string): string => {
    const index = builtInOrder.indexOf(group)
    if (index >= 0) return `0 ${String(index).padStart(3, '0')}`
    return `${versionsOf(rows, group)[0] === 'v1' ? 1 : isLate(group) ? 3 : 2} ${group}`
  }
  return all.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** These groups sort last, because CDI and instance types were registered last. */
const isLate = (group: string): boolean =>
  /^(cdi|forklift\.cdi|instancetype|upload\.cdi)\./.test(group)

function groupEntry(rows: Rows, group: string): JsonMap {
  const versions = versionsOf(rows, group).map((each) => ({
    groupVersion: `${group}/${each}`,
    version: each,
  }))
  return { name: group, versions, preferredVersion: versions[0] }
}

const versionsOf = (rows: Rows, group: string): readonly string[] =>
  group === aggregatedGroup
    ? aggregatedVersions
    : [
        ...new Set(
          rows
            .filter((row) => row.group === group)
            .flatMap((row) => [row.version, ...aliasVersions(row)]),
        ),
      ]

const aliasVersions = ({ aliases = [] }: Pick<Resource, 'aliases'>): string[] =>
  aliases.flatMap(({ group, version: each }) => (group === undefined ? [each] : []))

const groupList = (rows: Rows): Answer => ({
  status: 200,
  body: {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups(rows).map((group) => groupEntry(rows, group)),
  },
})

function resourceList(rows: Rows, group: string, groupVersion: string): Answer | null {
  if (group === aggregatedGroup && aggregatedVersions.includes(groupVersion))
    return listAnswer(`${group}/${groupVersion}`, aggregatedEntries())
  const served = rowsAt(rows, group, groupVersion)
  const [first] = served
  if (!first) return null
  const resources = served.flatMap((row) => [
    resourceEntry(row),
    ...subresourcesOf(row).map((sub) => subresourceEntry(row, sub)),
  ])
  return listAnswer(group === '' ? groupVersion : `${group}/${groupVersion}`, resources)
}

const listAnswer = (groupVersion: string, resources: JsonMap[]): Answer => ({
  status: 200,
  body: { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources },
})

function rowsAt(rows: Rows, group: string, groupVersion: string): Resource[] {
  const serves = ({ version: own, aliases = [] }: Resource): boolean =>
    [own, ...aliasVersions({ aliases })].includes(groupVersion)
  const found = rows.filter((row) => row.group === group && serves(row))
  // Custom kinds stay in the order of their registration.
  return found.some(({ custom }) => custom) ? found : found.sort(byPlural)
}

const byPlural = (a: Resource, b: Resource): number => (a.plural < b.plural ? -1 : 1)

export const verbsOf = (row: Resource): string[] => {
  if (isReview(row)) return ['create']
  if (row.verbs) return [...row.verbs]
  const verbs = row.custom ? customVerbs : builtInVerbs
  // Namespaces cannot be deleted as a collection.
  return resourceName(row) === 'namespaces'
    ? verbs.filter((verb) => verb !== 'deletecollection')
    : verbs
}

const resourceEntry = (row: Resource): JsonMap => ({
  name: row.plural,
  singularName: row.singular,
  namespaced: row.namespaced,
  // An aggregated kind reports its group and version.
  ...(row.custom && row.verbs ? { group: row.group, version: row.version } : {}),
  kind: row.kind,
  verbs: verbsOf(row),
  ...(row.shortNames.length > 0 ? { shortNames: [...row.shortNames] } : {}),
  ...(row.categories.length > 0 ? { categories: [...row.categories] } : {}),
  ...(isReview(row) || row.verbs ? {} : { storageVersionHash: hashOf(row) }),
})

/** Kinds whose storage version differs from the served version. */
const storageVersions: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io/CustomResourceDefinition': 'apiextensions.k8s.io/v1beta1',
  'events.k8s.io/Event': '/v1',
  'kubevirt.io/VirtualMachineInstancePreset': 'kubevirt.io/v1alpha3',
}

const hashOf = ({ group, version: each, kind }: Resource): string =>
  createHash('sha256')
    .update(`${storageVersions[`${group}/${kind}`] ?? `${group}/${each}`}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64')

const subresourceEntry = (row: Resource, { name, verbs, kind }: Subresource): JsonMap => ({
  name: `${row.plural}/${name}`,
  singularName: '',
  namespaced: row.namespaced,
  ...(kind === undefined || kind.group === '' ? {} : { group: kind.group, version: kind.version }),
  kind: kind?.kind ?? row.kind,
  verbs: [...verbs],
})

function discoveryList(rows: Rows, names: readonly string[]): Answer {
  const contentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const items = names.map((group) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versionsOf(rows, group).map((each) => ({
      version: each,
      resources: resourcesOf(rows, group, each),
      freshness: 'Current',
    })),
  }))
  return {
    status: 200,
    contentType,
    body: {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items,
    },
  }
}

const resourcesOf = (rows: Rows, group: string, groupVersion: string): JsonMap[] =>
  group === aggregatedGroup
    ? aggregatedResources()
    : [...rowsAt(rows, group, groupVersion)]
        .sort(byPlural)
        .map((row) => aggregatedEntry(row, groupVersion))

function aggregatedEntry(row: Resource, groupVersion: string): JsonMap {
  const responseKind = {
    group: row.custom ? row.group : '',
    version: row.custom ? groupVersion : '',
    kind: row.kind,
  }
  const subresources = subresourcesOf(row).map(({ name, verbs, kind }) => ({
    subresource: name,
    responseKind: kind ?? responseKind,
    verbs: [...verbs],
  }))
  return {
    resource: row.plural,
    responseKind,
    scope: row.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: row.singular,
    verbs: verbsOf(row),
    ...(row.shortNames.length > 0 ? { shortNames: [...row.shortNames] } : {}),
    ...(row.categories.length > 0 ? { categories: [...row.categories] } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  }
}
