import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { pageFields, pageVariables } from '../../../engine/rest/request-query.ts'
import {
  RequestBody,
  freeText,
  nameField,
  orBlank,
  orEmpty,
} from '../../../engine/rest/request-body.ts'
import { type PageInfo, type RestRoute, type Versioned, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'

const { flag, id, text, time, whole } = scalar

const states = oneOf('Active', 'Inactive')

const offering = new ResponseShape<Versioned>({
  id,
  name: text,
  display_name: text,
  cpu: whole,
  memory_mi: whole,
  dedicated_cpu: flag,
  'storage_tags?': text,
  state: { schema: states, before: null },
  'external_uuid?': text,
  'import_source?': text,
  version: hidden,
  created_at: { schema: time, before: 'storage_tags' },
})

const newOffering = new RequestBody({
  name: nameField('display_name'),
  'display_name?': orBlank(text),
  cpu: whole,
  memory_mi: whole,
  'dedicated_cpu?': flag,
})

const offeringChange = new RequestBody({
  'display_name?': { ...freeText, absent: [''] },
  'cpu?': whole,
  'memory_mi?': whole,
  'dedicated_cpu?': flag,
  'state?': orEmpty(states),
})

export const serviceOfferingRoutes: RestRoute[] = [
  route<{ serviceOfferings: { nodes: Versioned[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/service-offerings',
    summary: 'List the VM sizes that can be chosen',
    tag: 'Service offerings',
    run: `query ListServiceOfferings($first: Int, $after: String, $filter: ServiceOfferingFilter) {
      serviceOfferings(first: $first, after: $after, filter: $filter) { nodes { ${offering.selection} } ${pageFields} } }`,
    input: ({ query }) => ({
      ...pageVariables(query),
      filter: { includeInactive: query['include_inactive'] ?? false },
    }),
    output: ({ serviceOfferings }) => ({
      service_offerings: offering.toWireAll(serviceOfferings.nodes),
    }),
    pageOf: ({ serviceOfferings }) => serviceOfferings.pageInfo,
    status: 200,
    query: {
      include_inactive: {
        description: '`true` includes sizes that can no longer be chosen.',
        schema: flag,
      },
    },
    response: object({ service_offerings: list(offering.schema) }),
  }),
  route<{ serviceOffering: Versioned }>({
    method: 'GET',
    path: '/api/v1/service-offerings/{id}',
    summary: 'Get a service offering',
    tag: 'Service offerings',
    run: `query GetServiceOffering($id: ID!) { serviceOffering(id: $id) { ${offering.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: ({ serviceOffering }) => serviceOffering.version,
    output: ({ serviceOffering }) => ({ service_offering: offering.toWire(serviceOffering) }),
    status: 200,
    response: object({ service_offering: offering.schema }),
  }),
  route<{ createServiceOffering: { serviceOffering: Versioned } }>({
    method: 'POST',
    path: '/api/v1/service-offerings',
    summary: 'Create a service offering',
    tag: 'Service offerings',
    run: `mutation CreateServiceOffering($input: CreateServiceOfferingInput!) {
      createServiceOffering(input: $input) { serviceOffering { ${offering.selection} } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createServiceOffering }) => ({
      service_offering: offering.toWire(createServiceOffering.serviceOffering),
    }),
    status: 201,
    created: '/api/v1/service-offerings/{id}',
    request: newOffering,
    response: object({ service_offering: offering.schema }),
  }),
  route<{ updateServiceOffering: { serviceOffering: Versioned } }>({
    method: 'PATCH',
    path: '/api/v1/service-offerings/{id}',
    summary: 'Update a service offering',
    tag: 'Service offerings',
    run: `mutation UpdateServiceOffering($input: UpdateServiceOfferingInput!) {
      updateServiceOffering(input: $input) { serviceOffering { ${offering.selection} } } }`,
    input: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    takesVersion: true,
    versionOf: ({ updateServiceOffering }) => updateServiceOffering.serviceOffering.version,
    output: ({ updateServiceOffering }) => ({
      service_offering: offering.toWire(updateServiceOffering.serviceOffering),
    }),
    status: 200,
    request: offeringChange,
    response: object({ service_offering: offering.schema }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/service-offerings/{id}',
    summary: 'Delete a service offering',
    tag: 'Service offerings',
    run: `mutation DeleteServiceOffering($input: DeleteServiceOfferingInput!) {
      deleteServiceOffering(input: $input) { serviceOffering { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    takesVersion: true,
    output: () => ({ success: true }),
    status: 200,
    response: success,
  }),
]
