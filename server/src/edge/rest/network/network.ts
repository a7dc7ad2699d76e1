import {
  suggestionFields,
  suggestionSchema,
  wireSuggestion,
  type SuggestionRow,
} from './cidr-plan.ts'
import { field } from '../../../engine/rest/field.ts'
import { listing, pageFields } from '../../../engine/rest/input.ts'
import { type JobRow, jobFields } from '../../../engine/rest/later.ts'
import { networkFields, networkSchema, wireNetwork, type NetworkRow } from './network-shape.ts'
import { invalidInput } from '../../../engine/http/faults.ts'
import {
  type PageInfo,
  type RestRoute,
  patienceSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/shapes.ts'
import { success } from '../../../engine/rest/success.ts'
import { messageOf } from '../../../engine/model/message.ts'

const { id, text, whole } = scalar

const planned = { smallest: 16, largest: 28 } as const

/** What is no size of the plan is taken for the usual one. */
function prefixIn(query: URLSearchParams): number | null {
  const prefix = Number(query.get('prefix'))
  return Number.isInteger(prefix) && prefix >= planned.smallest && prefix <= planned.largest
    ? prefix
    : null
}

function vpcIn(query: URLSearchParams): string {
  const vpcId = query.get('vpc_id')
  if (!vpcId) throw invalidInput('vpc_id', messageOf('field.required'))
  return vpcId
}

interface Plan {
  vpc_cidr: string
  prefix: number
  auto: string | null
  suggestions: SuggestionRow[]
  used: string[]
}

const wirePlan = ({ auto, suggestions, ...plan }: Plan): object => ({
  ...plan,
  auto: auto ?? undefined,
  suggestions: suggestions.map(wireSuggestion),
})

const publicNetworkFields =
  'id name cidr gateway state nad_namespace: attachmentNamespace nad_name: attachmentName'

interface Listed {
  networks: { nodes: NetworkRow[]; pageInfo: PageInfo }
  /** Left out where a list is searched. */
  publicNetwork?: object | null
}

/** The public network is everybody's, and comes behind the tenant's own. */
function wireNetworks({ networks: { nodes, pageInfo }, publicNetwork }: Listed): object {
  const shared =
    publicNetwork && !pageInfo.hasNextPage ? [{ ...publicNetwork, network_type: 'shared' }] : []
  return { networks: [...nodes.map(wireNetwork), ...shared] }
}

export const networkRoutes: RestRoute[] = [
  route<Listed>({
    method: 'GET',
    path: '/api/v1/networks',
    summary: 'List the networks of the tenant',
    tag: 'Networks',
    run: `query ListNetworks($first: Int, $after: String, $filter: NetworkFilter, $orderBy: NetworkOrder, $all: Boolean!) {
      networks(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${networkFields} } ${pageFields} }
      publicNetwork @include(if: $all) { ${publicNetworkFields} } }`,
    input: ({ query }) => ({ ...listing.variables(query), all: !query.get('filter') }),
    output: wireNetworks,
    pageOf: ({ networks }) => networks.pageInfo,
    status: 200,
    query: listing.query,
    response: object({ networks: list(networkSchema) }),
  }),
  route<{ plan: Plan }>({
    method: 'GET',
    path: '/api/v1/networks/cidr-plan',
    summary: 'Which addresses another network of a VPC could have',
    tag: 'Networks',
    run: `query PlanNetworkCidrs($vpcId: ID!, $prefix: Int) {
      plan: networkCidrPlan(vpcId: $vpcId, prefix: $prefix) { vpc_cidr: vpcCidr prefix auto suggestions { ${suggestionFields} } used } }`,
    input: ({ query }) => ({ vpcId: vpcIn(query), prefix: prefixIn(query) }),
    output: ({ plan }) => wirePlan(plan),
    status: 200,
    query: {
      vpc_id: { description: 'The VPC; it must be named.', schema: id },
      prefix: { description: 'How large: 16 to 28, and 24 for everything else.', schema: whole },
    },
    response: object({
      vpc_cidr: text,
      prefix: whole,
      'auto?': text,
      suggestions: list(suggestionSchema),
      used: list(text),
    }),
  }),
  route<{ network: NetworkRow }>({
    method: 'GET',
    path: '/api/v1/networks/{id}',
    summary: 'Get a network',
    tag: 'Networks',
    run: `query GetNetwork($id: ID!) { network(id: $id) { ${networkFields} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: ({ network }) => network.version,
    output: ({ network }) => ({ network: wireNetwork(network) }),
    status: 200,
    response: object({ network: networkSchema }),
  }),
  route<{ createNetwork: { network: NetworkRow; operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/networks',
    summary: 'Make a network in a VPC',
    tag: 'Networks',
    run: `mutation CreateNetwork($input: CreateNetworkInput!, $waitSeconds: Int) {
      createNetwork(input: $input, waitSeconds: $waitSeconds) { network { ${networkFields} } ${jobFields} } }`,
    input: ({ body }) => {
      const cidr = field.text(body, 'cidr')
      const prefix = field.positive(body, 'prefix')
      const named = { name: field.required(body, 'name'), vpcId: field.required(body, 'vpc_id') }
      return { input: { ...named, ...(cidr === undefined ? { prefix } : { cidr }) } }
    },
    output: ({ createNetwork }) => ({ network: wireNetwork(createNetwork.network) }),
    later: { operationOf: ({ createNetwork }) => createNetwork.operation },
    status: 201,
    request: object({ name: text, vpc_id: id, 'cidr?': text, 'prefix?': whole }),
    response: object({ network: networkSchema }),
  }),
  route<{ updateNetwork: { network: NetworkRow } }>({
    method: 'PATCH',
    path: '/api/v1/networks/{id}',
    summary: 'Rename a network',
    tag: 'Networks',
    run: `mutation UpdateNetwork($input: UpdateNetworkInput!) { updateNetwork(input: $input) { network { ${networkFields} } } }`,
    input: ({ params, body, ifVersion }) => ({
      input: { id: params.id, name: field.required(body, 'name'), ifVersion },
    }),
    versionOf: ({ updateNetwork }) => updateNetwork.network.version,
    output: ({ updateNetwork }) => ({ network: wireNetwork(updateNetwork.network) }),
    status: 200,
    request: object({ name: text }),
    response: object({ network: networkSchema }),
  }),
  route<{ deleteNetwork: { operation: JobRow } }>({
    method: 'DELETE',
    path: '/api/v1/networks/{id}',
    summary: 'Delete a network that no VM is in',
    tag: 'Networks',
    run: `mutation DeleteNetwork($input: DeleteNetworkInput!, $waitSeconds: Int) {
      deleteNetwork(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => ({ success: true }),
    later: { operationOf: ({ deleteNetwork }) => deleteNetwork.operation },
    patienceSeconds,
    status: 200,
    response: success,
  }),
]
