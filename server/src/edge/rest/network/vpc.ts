import {
  suggestionFields,
  suggestionSchema,
  wireSuggestion,
  type SuggestionRow,
} from './cidr-plan.ts'
import { field } from '../../../engine/rest/field.ts'
import { listing, pageFields } from '../../../engine/rest/input.ts'
import { type JobRow, jobFields } from '../../../engine/rest/later.ts'
import {
  netStates,
  networkFields,
  networkSchema,
  wireNetwork,
  type NetworkRow,
} from './network-shape.ts'
import {
  type PageInfo,
  type RestRoute,
  patienceSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/shapes.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time } = scalar

const fields = 'id tenant_id: tenantId name cidr namespace state version created_at: createdAt'

interface Vpc {
  version: number
}

const wireVpc = (row: Vpc): object => Object.assign<Vpc, object>(row, { version: undefined })

const vpc = object({
  id,
  tenant_id: id,
  name: text,
  cidr: text,
  namespace: text,
  state: netStates,
  created_at: time,
})

export const vpcRoutes: RestRoute[] = [
  route<{ vpcs: { nodes: Vpc[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/vpcs',
    summary: 'List the VPCs of the tenant',
    tag: 'VPCs',
    run: `query ListVpcs($first: Int, $after: String, $filter: VpcFilter, $orderBy: VpcOrder) {
      vpcs(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${fields} } ${pageFields} } }`,
    input: ({ query }) => listing.variables(query),
    output: ({ vpcs }) => ({ vpcs: vpcs.nodes.map(wireVpc) }),
    pageOf: ({ vpcs }) => vpcs.pageInfo,
    status: 200,
    query: listing.query,
    response: object({ vpcs: list(vpc) }),
  }),
  route<{ vpcCidrPlan: { suggestions: SuggestionRow[]; existing: string[] } }>({
    method: 'GET',
    path: '/api/v1/vpcs/cidr-plan',
    summary: 'Which addresses another VPC could have',
    tag: 'VPCs',
    run: `query PlanVpcCidrs { vpcCidrPlan { suggestions { ${suggestionFields} } existing: used } }`,
    input: () => ({}),
    output: ({ vpcCidrPlan: { suggestions, existing } }) => ({
      suggestions: suggestions.map(wireSuggestion),
      existing,
    }),
    status: 200,
    response: object({ suggestions: list(suggestionSchema), existing: list(text) }),
  }),
  route<{ vpc: Vpc }>({
    method: 'GET',
    path: '/api/v1/vpcs/{id}',
    summary: 'Get a VPC',
    tag: 'VPCs',
    run: `query GetVpc($id: ID!) { vpc(id: $id) { ${fields} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: (answer) => answer.vpc.version,
    output: (answer) => ({ vpc: wireVpc(answer.vpc) }),
    status: 200,
    response: object({ vpc }),
  }),
  route<{ createVpc: { vpc: Vpc; defaultNetwork: NetworkRow; operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/vpcs',
    summary: 'Make a VPC with its first network',
    tag: 'VPCs',
    run: `mutation CreateVpc($input: CreateVpcInput!, $waitSeconds: Int) { createVpc(input: $input, waitSeconds: $waitSeconds) {
      vpc { ${fields} } defaultNetwork { ${networkFields} } ${jobFields} } }`,
    input: ({ body }) => ({
      input: { name: field.required(body, 'name'), cidr: field.text(body, 'cidr') },
    }),
    output: ({ createVpc }) => ({
      vpc: wireVpc(createVpc.vpc),
      default_network: wireNetwork(createVpc.defaultNetwork),
    }),
    later: { operationOf: ({ createVpc }) => createVpc.operation },
    status: 201,
    request: object({ name: text, 'cidr?': text }),
    response: object({ vpc, default_network: networkSchema }),
  }),
  route<{ updateVpc: { vpc: Vpc } }>({
    method: 'PATCH',
    path: '/api/v1/vpcs/{id}',
    summary: 'Rename a VPC',
    tag: 'VPCs',
    run: `mutation UpdateVpc($input: UpdateVpcInput!) { updateVpc(input: $input) { vpc { ${fields} } } }`,
    input: ({ params, body, ifVersion }) => ({
      input: { id: params.id, name: field.required(body, 'name'), ifVersion },
    }),
    versionOf: ({ updateVpc }) => updateVpc.vpc.version,
    output: ({ updateVpc }) => ({ vpc: wireVpc(updateVpc.vpc) }),
    status: 200,
    request: object({ name: text }),
    response: object({ vpc }),
  }),
  route<{ deleteVpc: { operation: JobRow } }>({
    method: 'DELETE',
    path: '/api/v1/vpcs/{id}',
    summary: 'Delete a VPC and the networks in it',
    tag: 'VPCs',
    run: `mutation DeleteVpc($input: DeleteVpcInput!, $waitSeconds: Int) { deleteVpc(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params.id, withNetworks: true } }),
    output: () => ({ success: true }),
    later: { operationOf: ({ deleteVpc }) => deleteVpc.operation },
    patienceSeconds,
    status: 200,
    response: success,
  }),
]
