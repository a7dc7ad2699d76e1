import { listResponse } from '../../../engine/rest/list-response.ts'
import { suggestion, type SuggestionRow } from './cidr-plan.ts'
import { ResponseShape, listOf } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import {
  listVariables,
  pageFields,
  sortParameter,
  usualSorts,
  wireNamesOf,
} from '../../../engine/rest/request-query.ts'
import { idFilter, stateFilter, usualFilters } from '../list-filters.ts'
import { network, networkStates, newNetwork, renameBody, type NetworkRow } from './network-shape.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list } from '../../../engine/rest/json-schema.ts'

const { id, text, whole } = scalar

const planned = { smallest: 16, largest: 28 } as const

interface Plan {
  suggestions: SuggestionRow[]
}

const plan = new ResponseShape<Plan>(
  'NetworkCidrPlan',
  {
    vpc_cidr: text,
    prefix: whole,
    used: { schema: list(text), before: null },
    'auto?': text,
    suggestions: listOf(suggestion),
  },
  (row) => suggestion.toWireAll(row.suggestions),
)

const publicNetworkFields =
  'id name cidr gateway state nad_namespace: attachmentNamespace nad_name: attachmentName'

interface Listed {
  networks: { nodes: NetworkRow[]; pageInfo: PageInfo }
  /** Not selected when the list is searched. */
  publicNetwork?: object | null
}

/** The public network belongs to no tenant, so it comes after the tenant's own networks. */
function wireNetworks({ networks: { nodes, pageInfo }, publicNetwork }: Listed): object {
  const shared =
    publicNetwork && !pageInfo.hasNextPage ? [{ ...publicNetwork, network_type: 'shared' }] : []
  return { networks: [...network.toWireAll(nodes), ...shared] }
}

const filters = {
  ...usualFilters,
  ...stateFilter(networkStates),
  ...idFilter('vpc_id', 'Only networks of this VPC.'),
}

const networks = new NounRoutes({
  tag: 'Networks',
  path: '/api/v1/networks',
  type: 'Network',
  shape: network,
})

export const networkRoutes: RestRoute[] = [
  route<Listed>({
    method: 'GET',
    path: '/api/v1/networks',
    summary: 'List the networks of the tenant',
    tag: 'Networks',
    run: `query ListNetworks($first: Int, $after: String, $filter: NetworkFilter, $orderBy: NetworkOrder, $all: Boolean!) {
      networks(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${network.selection} } ${pageFields} }
      publicNetwork @include(if: $all) { ${publicNetworkFields} } }`,
    // The public network is in the list of all networks, and in no other.
    input: ({ query }) => ({
      ...listVariables(query, filters),
      all: Object.keys(filters).every((name) => query[name] === undefined || query[name] === ''),
    }),
    names: wireNamesOf(filters),
    output: wireNetworks,
    pageOf: ({ networks }) => networks.pageInfo,
    status: 200,
    query: { ...filters, ...sortParameter(usualSorts) },
    response: listResponse('Network', 'networks', network.schema),
  }),
  route<{ plan: Plan }>({
    method: 'GET',
    path: '/api/v1/networks/cidr-plan',
    summary: 'List CIDR blocks that a new network of a VPC could use',
    tag: 'Networks',
    run: `query PlanNetworkCidrs($vpcId: ID!, $prefix: Int) {
      plan: networkCidrPlan(vpcId: $vpcId, prefix: $prefix) { ${plan.selection} } }`,
    input: ({ query }) => ({ vpcId: query['vpc_id'], prefix: query['prefix'] }),
    output: (answer) => plan.toWire(answer.plan),
    status: 200,
    query: {
      vpc_id: { description: 'The id of the VPC.', schema: id, isRequired: true },
      prefix: {
        description: 'The prefix length; 24 by default.',
        schema: { ...whole, minimum: planned.smallest, maximum: planned.largest },
      },
    },
    response: plan.schema,
  }),
  networks.get('Get a network'),
  networks.create('Create a network in a VPC', { body: newNetwork, startsOperation: true }),
  networks.update('Rename a network', { body: renameBody }),
  networks.delete('Delete a network without VMs', { startsOperation: true }),
]
