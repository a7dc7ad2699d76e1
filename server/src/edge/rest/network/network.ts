import { suggestion, type SuggestionRow } from './cidr-plan.ts'
import { ResponseShape, listOf } from '../../../engine/rest/response-shape.ts'
import { listParameters, listVariables, pageFields } from '../../../engine/rest/request-query.ts'
import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import { network, newNetwork, renameBody, type NetworkRow } from './network-shape.ts'
import {
  type PageInfo,
  type RestRoute,
  defaultWaitSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, whole } = scalar

const planned = { smallest: 16, largest: 28 } as const

interface Plan {
  suggestions: SuggestionRow[]
}

const plan = new ResponseShape<Plan>(
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

export const networkRoutes: RestRoute[] = [
  route<Listed>({
    method: 'GET',
    path: '/api/v1/networks',
    summary: 'List the networks of the tenant',
    tag: 'Networks',
    run: `query ListNetworks($first: Int, $after: String, $filter: NetworkFilter, $orderBy: NetworkOrder, $all: Boolean!) {
      networks(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${network.selection} } ${pageFields} }
      publicNetwork @include(if: $all) { ${publicNetworkFields} } }`,
    input: ({ query }) => ({ ...listVariables(query), all: !query['filter'] }),
    output: wireNetworks,
    pageOf: ({ networks }) => networks.pageInfo,
    status: 200,
    query: listParameters,
    response: object({ networks: list(network.schema) }),
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
  route<{ network: NetworkRow }>({
    method: 'GET',
    path: '/api/v1/networks/{id}',
    summary: 'Get a network',
    tag: 'Networks',
    run: `query GetNetwork($id: ID!) { network(id: $id) { ${network.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: (answer) => answer.network.version,
    output: (answer) => ({ network: network.toWire(answer.network) }),
    status: 200,
    response: object({ network: network.schema }),
  }),
  route<{ createNetwork: { network: NetworkRow; operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/networks',
    summary: 'Create a network in a VPC',
    tag: 'Networks',
    run: `mutation CreateNetwork($input: CreateNetworkInput!, $waitSeconds: Int) {
      createNetwork(input: $input, waitSeconds: $waitSeconds) { network { ${network.selection} } ${jobFields} } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createNetwork }) => ({ network: network.toWire(createNetwork.network) }),
    accepted: { operationOf: ({ createNetwork }) => createNetwork.operation },
    status: 201,
    created: '/api/v1/networks/{id}',
    request: newNetwork,
    response: object({ network: network.schema }),
  }),
  route<{ updateNetwork: { network: NetworkRow } }>({
    method: 'PATCH',
    path: '/api/v1/networks/{id}',
    summary: 'Rename a network',
    tag: 'Networks',
    run: `mutation UpdateNetwork($input: UpdateNetworkInput!) { updateNetwork(input: $input) { network { ${network.selection} } } }`,
    input: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    takesVersion: true,
    versionOf: ({ updateNetwork }) => updateNetwork.network.version,
    output: ({ updateNetwork }) => ({ network: network.toWire(updateNetwork.network) }),
    status: 200,
    request: renameBody,
    response: object({ network: network.schema }),
  }),
  route<{ deleteNetwork: { operation: JobRow } }>({
    method: 'DELETE',
    path: '/api/v1/networks/{id}',
    summary: 'Delete a network without VMs',
    tag: 'Networks',
    run: `mutation DeleteNetwork($input: DeleteNetworkInput!, $waitSeconds: Int) {
      deleteNetwork(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    takesVersion: true,
    output: () => ({ success: true }),
    accepted: { operationOf: ({ deleteNetwork }) => deleteNetwork.operation },
    defaultWaitSeconds,
    status: 200,
    response: success,
  }),
]
