import { createHash } from 'node:crypto'
import { type JsonMap } from './types.ts'
import { type Answer } from './request.ts'
import { type Resource, apiVersionOf, resourceName } from './resource.ts'
import { registry } from './registry.ts'
import { isReview, reviewRows } from './authorization/rows.ts'
import { aggregatedEntries, aggregatedGroup, aggregatedResources, aggregatedVersions } from '../subresources/discovery.ts'

const builtInVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
const aggregated = /g=apidiscovery\.k8s\.io;v=v2;as=APIGroupDiscoveryList/

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

/** Everything that clients ask before they know what is served; null when the path is none of it. */
export function discover(path: string, accept: string | undefined, address: string): Answer | null {
  const asked = path.replace(/\/$/, '')
  if (asked === '/version') return { status: 200, body: version }
  const wantsAggregated = aggregated.test((accept ?? '').replaceAll(' ', ''))
  if (asked === '/api') return wantsAggregated ? discoveryList(['']) : { status: 200, body: coreVersions(address) }
  if (asked === '/api/v1') return resourceList('', 'v1')
  if (asked === '/apis') return wantsAggregated ? discoveryList(groups()) : groupList()
  return discoverGroup(asked)
}

function discoverGroup(path: string): Answer | null {
  const [, group = '', groupVersion] = /^\/apis\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
  if (!groups().includes(group)) return null
  if (groupVersion !== undefined) return resourceList(group, groupVersion)
  return { status: 200, body: { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) } }
}

const coreVersions = (address: string): JsonMap => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
})

const rows: readonly Resource[] = [...registry.all, ...reviewRows]

const groups = (): string[] => [...new Set([...rows.map((row) => row.group), aggregatedGroup])].filter((group) => group !== '')

function groupEntry(group: string): JsonMap {
  const versions = versionsOf(group).map((each) => ({ groupVersion: `${group}/${each}`, version: each }))
  return { name: group, versions, preferredVersion: versions[0] }
}

const versionsOf = (group: string): readonly string[] =>
  group === aggregatedGroup ? aggregatedVersions : [...new Set(rows.filter((row) => row.group === group).map((row) => row.version))]

const groupList = (): Answer => ({ status: 200, body: { kind: 'APIGroupList', apiVersion: 'v1', groups: groups().map(groupEntry) } })

function resourceList(group: string, groupVersion: string): Answer | null {
  if (group === aggregatedGroup && aggregatedVersions.includes(groupVersion))
    return listAnswer(`${group}/${groupVersion}`, aggregatedEntries())
  const served = rowsAt(group, groupVersion)
  const [first] = served
  if (!first) return null
  const resources = served.flatMap((row) => [resourceEntry(row), ...subresourcesOf(row).map((sub) => subresourceEntry(row, sub))])
  return listAnswer(apiVersionOf(first), resources)
}

const listAnswer = (groupVersion: string, resources: JsonMap[]): Answer => ({
  status: 200,
  body: { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources },
})

const rowsAt = (group: string, groupVersion: string): Resource[] =>
  rows.filter((row) => row.group === group && row.version === groupVersion)

const subresourcesOf = (row: Resource): { name: string; verbs: string[] }[] => [
  ...row.subresources.map((name) => ({ name, verbs: name === 'log' ? ['get'] : ['update'] })),
  ...(row.status ? [{ name: 'status', verbs: ['get', 'patch', 'update'] }] : []),
]

const verbsOf = (row: Resource): string[] => {
  if (isReview(row)) return ['create']
  const verbs = row.custom ? customVerbs : builtInVerbs
  // Whole namespaces are never deleted in bulk.
  return resourceName(row) === 'namespaces' ? verbs.filter((verb) => verb !== 'deletecollection') : verbs
}

const resourceEntry = (row: Resource): JsonMap => ({
  name: row.plural,
  singularName: row.singular,
  namespaced: row.namespaced,
  kind: row.kind,
  verbs: verbsOf(row),
  ...(row.shortNames.length > 0 ? { shortNames: [...row.shortNames] } : {}),
  ...(row.categories.length > 0 ? { categories: [...row.categories] } : {}),
  ...(isReview(row) ? {} : { storageVersionHash: hashOf(row) }),
})

const hashOf = (row: Resource): string =>
  createHash('sha256').update(`${row.group}/${row.version}/${row.kind}`).digest().subarray(0, 8).toString('base64')

const subresourceEntry = (row: Resource, { name, verbs }: { name: string; verbs: string[] }): JsonMap => ({
  name: `${row.plural}/${name}`,
  singularName: '',
  namespaced: row.namespaced,
  kind: row.kind,
  verbs,
})

function discoveryList(names: readonly string[]): Answer {
  const contentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const items = names.map((group) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versionsOf(group).map((each) => ({
      version: each,
      resources: resourcesOf(group, each),
      freshness: 'Current',
    })),
  }))
  return { status: 200, contentType, body: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items } }
}

const resourcesOf = (group: string, groupVersion: string): JsonMap[] =>
  group === aggregatedGroup ? aggregatedResources() : rowsAt(group, groupVersion).map(aggregatedEntry)

function aggregatedEntry(row: Resource): JsonMap {
  const responseKind = { group: row.custom ? row.group : '', version: row.custom ? row.version : '', kind: row.kind }
  const subresources = subresourcesOf(row).map(({ name, verbs }) => ({ subresource: name, responseKind, verbs }))
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
