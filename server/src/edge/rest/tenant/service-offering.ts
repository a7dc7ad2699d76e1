import { field } from '../../../engine/rest/field.ts'
import { pageOf, pageFields, withoutNulls } from '../../../engine/rest/input.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/shapes.ts'
import { success } from '../../../engine/rest/success.ts'

const { flag, id, text, time, whole } = scalar

interface Offering {
  storage_tags: string | null | undefined
  external_uuid: string | null | undefined
  import_source: string | null | undefined
}

const fields = `id name display_name: displayName cpu memory_mi: memoryMi dedicated_cpu: dedicatedCpu storage_tags: storageTags
  state external_uuid: externalUuid import_source: importSource created_at: createdAt`

const offering = object({
  id,
  name: text,
  display_name: text,
  cpu: whole,
  memory_mi: whole,
  dedicated_cpu: flag,
  created_at: time,
  'storage_tags?': text,
  'external_uuid?': text,
  'import_source?': text,
  state: oneOf('Active', 'Inactive'),
})

const shown = (row: Offering): Offering | undefined =>
  withoutNulls([row], 'storage_tags', 'external_uuid', 'import_source')[0]

export const serviceOfferingRoutes: RestRoute[] = [
  route<{ serviceOfferings: { nodes: Offering[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/service-offerings',
    summary: 'List the sizes of VMs that can be chosen',
    tag: 'Service offerings',
    run: `query ListServiceOfferings($first: Int, $after: String, $filter: ServiceOfferingFilter) {
      serviceOfferings(first: $first, after: $after, filter: $filter) { nodes { ${fields} } ${pageFields} } }`,
    input: ({ query }) => ({
      ...pageOf(query),
      filter: { includeInactive: query.get('include_inactive') === 'true' },
    }),
    output: ({ serviceOfferings }) => ({ service_offerings: serviceOfferings.nodes.map(shown) }),
    pageOf: ({ serviceOfferings }) => serviceOfferings.pageInfo,
    status: 200,
    query: {
      include_inactive: { description: 'Also those that can no longer be chosen.', schema: flag },
    },
    response: object({ service_offerings: list(offering) }),
  }),
  route<{ createServiceOffering: { serviceOffering: Offering } }>({
    method: 'POST',
    path: '/api/v1/service-offerings',
    summary: 'Add a size',
    tag: 'Service offerings',
    run: `mutation CreateServiceOffering($input: CreateServiceOfferingInput!) {
      createServiceOffering(input: $input) { serviceOffering { ${fields} } } }`,
    input: ({ body }) => ({
      input: {
        name: field.required(body, 'name'),
        displayName: field.text(body, 'display_name'),
        cpu: field.whole(body, 'cpu') ?? 0,
        memoryMi: field.whole(body, 'memory_mi') ?? 0,
        dedicatedCpu: field.flag(body, 'dedicated_cpu'),
      },
    }),
    output: ({ createServiceOffering }) => ({
      service_offering: shown(createServiceOffering.serviceOffering),
    }),
    status: 201,
    request: object({
      name: text,
      'display_name?': text,
      cpu: whole,
      memory_mi: whole,
      'dedicated_cpu?': flag,
    }),
    response: object({ service_offering: offering }),
  }),
  route<{ updateServiceOffering: { serviceOffering: Offering } }>({
    method: 'PATCH',
    path: '/api/v1/service-offerings/{id}',
    summary: 'Change a size',
    tag: 'Service offerings',
    run: `mutation UpdateServiceOffering($input: UpdateServiceOfferingInput!) {
      updateServiceOffering(input: $input) { serviceOffering { ${fields} } } }`,
    input: ({ params, body }) => ({
      input: {
        id: params.id,
        displayName: field.text(body, 'display_name'),
        cpu: field.positive(body, 'cpu'),
        memoryMi: field.positive(body, 'memory_mi'),
        dedicatedCpu: field.flag(body, 'dedicated_cpu'),
        state: field.text(body, 'state'),
      },
    }),
    output: ({ updateServiceOffering }) => ({
      service_offering: shown(updateServiceOffering.serviceOffering),
    }),
    status: 200,
    request: object({
      'display_name?': text,
      'cpu?': whole,
      'memory_mi?': whole,
      'dedicated_cpu?': flag,
      'state?': oneOf('Active', 'Inactive'),
    }),
    response: object({ service_offering: offering }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/service-offerings/{id}',
    summary: 'Remove a size',
    tag: 'Service offerings',
    run: `mutation DeleteServiceOffering($input: DeleteServiceOfferingInput!) {
      deleteServiceOffering(input: $input) { serviceOffering { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => ({ success: true }),
    status: 200,
    response: success,
  }),
]
