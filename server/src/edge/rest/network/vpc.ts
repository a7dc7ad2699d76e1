import { suggestion, type SuggestionRow } from './cidr-plan.ts'
import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { stateFilter, usualFilters } from '../list-filters.ts'
import { namespaceField } from '../namespace-field.ts'
import { networkStates, network, renameBody, type NetworkRow } from './network-shape.ts'
import { writtenCidr } from '../written-cidr.ts'
import { RequestBody, orBlank } from '../../../engine/rest/request-body.ts'
import { type RestRoute, type Versioned, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { component, list, object } from '../../../engine/rest/json-schema.ts'

const { id, text, time, whole } = scalar

const vpc = new ResponseShape<Versioned>('Vpc', {
  id,
  tenant_id: id,
  name: text,
  cidr: writtenCidr,
  namespace: text,
  state: networkStates,
  version: hidden,
  created_at: time,
})

const newVpc = new RequestBody({
  name: text,
  'cidr?': orBlank(text),
  'prefix?': { ...whole, description: 'The prefix length when Berth chooses the block.' },
  ...namespaceField,
})

const vpcs = new NounRoutes({ tag: 'VPCs', path: '/api/v1/vpcs', type: 'Vpc', shape: vpc })

const firstNetwork = new ResponseShape<{ default_network: NetworkRow }>(
  'CreateVpcPayload',
  { default_network: { schema: network.schema, selection: network.selection } },
  (row) => network.toWire(row.default_network),
)

export const vpcRoutes: RestRoute[] = [
  vpcs.list('List the VPCs of the tenant', {
    filters: { ...usualFilters, ...stateFilter(networkStates) },
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
    response: component(
      { name: 'VpcCidrPlan', description: 'CIDR blocks that a new VPC could use.' },
      object({
        suggestions: {
          ...list(suggestion.schema),
          description: 'Blocks, and whether each is free.',
        },
        existing: { ...list(text), description: 'CIDR blocks of the existing VPCs.' },
      }),
    ),
  }),
  vpcs.get('Get a VPC'),
  vpcs.create('Create a VPC with its first network', {
    body: newVpc,
    beside: firstNetwork,
    startsOperation: true,
  }),
  vpcs.update('Rename a VPC', { body: renameBody }),
  vpcs.delete('Delete a VPC and the networks in it', {
    startsOperation: true,
    input: ({ params }) => ({ input: { id: params.id, withNetworks: true } }),
  }),
]
