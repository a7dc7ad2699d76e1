import { suggestion, type SuggestionRow } from './cidr-plan.ts'
import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { listParameters, listVariables, pageFields } from '../../../engine/rest/request-query.ts'
import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import { namespaceField } from '../namespace-field.ts'
import { networkStates, network, renameBody, type NetworkRow } from './network-shape.ts'
import { RequestBody, orBlank } from '../../../engine/rest/request-body.ts'
import {
  type PageInfo,
  type RestRoute,
  type Versioned,
  defaultWaitSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time } = scalar

const vpc = new ResponseShape<Versioned>({
  id,
  tenant_id: id,
  name: text,
  cidr: text,
  namespace: text,
  state: networkStates,
  version: hidden,
  created_at: time,
})

const newVpc = new RequestBody({ name: text, 'cidr?': orBlank(text), ...namespaceField })

export const vpcRoutes: RestRoute[] = [
  route<{ vpcs: { nodes: Versioned[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/vpcs',
    summary: 'List the VPCs of the tenant',
    tag: 'VPCs',
    run: `query ListVpcs($first: Int, $after: String, $filter: VpcFilter, $orderBy: VpcOrder) {
      vpcs(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${vpc.selection} } ${pageFields} } }`,
    input: ({ query }) => listVariables(query),
    output: ({ vpcs }) => ({ vpcs: vpc.toWireAll(vpcs.nodes) }),
    pageOf: ({ vpcs }) => vpcs.pageInfo,
    status: 200,
    query: listParameters,
    response: object({ vpcs: list(vpc.schema) }),
  }),
  route<{ vpcCidrPlan: { suggestions: SuggestionRow[]; existing: string[] } }>({
    method: 'GET',
    path: '/api/v1/vpcs/cidr-plan',
    summary: 'List CIDR blocks that a new VPC could use',
    tag: 'VPCs',
    run: `query PlanVpcCidrs { vpcCidrPlan { suggestions { ${suggestion.selection} } existing: used } }`,
    input: () => ({}),
    output: ({ vpcCidrPlan: { suggestions, existing } }) => ({
      suggestions: suggestion.toWireAll(suggestions),
      existing,
    }),
    status: 200,
    response: object({ suggestions: list(suggestion.schema), existing: list(text) }),
  }),
  route<{ vpc: Versioned }>({
    method: 'GET',
    path: '/api/v1/vpcs/{id}',
    summary: 'Get a VPC',
    tag: 'VPCs',
    run: `query GetVpc($id: ID!) { vpc(id: $id) { ${vpc.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: (answer) => answer.vpc.version,
    output: (answer) => ({ vpc: vpc.toWire(answer.vpc) }),
    status: 200,
    response: object({ vpc: vpc.schema }),
  }),
  route<{ createVpc: { vpc: Versioned; defaultNetwork: NetworkRow; operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/vpcs',
    summary: 'Create a VPC with its first network',
    tag: 'VPCs',
    run: `mutation CreateVpc($input: CreateVpcInput!, $waitSeconds: Int) { createVpc(input: $input, waitSeconds: $waitSeconds) {
      vpc { ${vpc.selection} } defaultNetwork { ${network.selection} } ${jobFields} } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createVpc }) => ({
      vpc: vpc.toWire(createVpc.vpc),
      default_network: network.toWire(createVpc.defaultNetwork),
    }),
    accepted: { operationOf: ({ createVpc }) => createVpc.operation },
    status: 201,
    created: '/api/v1/vpcs/{id}',
    request: newVpc,
    response: object({ vpc: vpc.schema, default_network: network.schema }),
  }),
  route<{ updateVpc: { vpc: Versioned } }>({
    method: 'PATCH',
    path: '/api/v1/vpcs/{id}',
    summary: 'Rename a VPC',
    tag: 'VPCs',
    run: `mutation UpdateVpc($input: UpdateVpcInput!) { updateVpc(input: $input) { vpc { ${vpc.selection} } } }`,
    input: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    takesVersion: true,
    versionOf: ({ updateVpc }) => updateVpc.vpc.version,
    output: ({ updateVpc }) => ({ vpc: vpc.toWire(updateVpc.vpc) }),
    status: 200,
    request: renameBody,
    response: object({ vpc: vpc.schema }),
  }),
  route<{ deleteVpc: { operation: JobRow } }>({
    method: 'DELETE',
    path: '/api/v1/vpcs/{id}',
    summary: 'Delete a VPC and the networks in it',
    tag: 'VPCs',
    run: `mutation DeleteVpc($input: DeleteVpcInput!, $waitSeconds: Int) { deleteVpc(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params.id, withNetworks: true } }),
    takesVersion: true,
    output: () => ({ success: true }),
    accepted: { operationOf: ({ deleteVpc }) => deleteVpc.operation },
    defaultWaitSeconds,
    status: 200,
    response: success,
  }),
]
