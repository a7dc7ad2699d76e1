import { field } from '../../../engine/rest/field.ts'
import { listing, pageFields, withoutNulls } from '../../../engine/rest/input.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/shapes.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time, whole } = scalar

const fields = `id tenant_id: tenantId name display_name: displayName description image source_type: sourceType os_type: osType
  cloud_init_user_data: cloudInitUserData iso_size_gi: isoSizeGi boot_disk_size_gi: bootDiskSizeGi storage_class: storageClass
  import_state: importState state version created_at: createdAt`

interface Template {
  tenant_id: string | null | undefined
  cloud_init_user_data: string | null | undefined
  storage_class: string | null | undefined
  import_state: string | null | undefined
  source_type: 'container' | 'iso'
  iso_size_gi: number
  state: 'Active' | 'Inactive'
  version: number
}

function wireTemplate(row: Template): object {
  withoutNulls([row], 'tenant_id', 'cloud_init_user_data', 'storage_class', 'import_state')
  const isoSize = row.source_type === 'iso' ? row.iso_size_gi : undefined
  return Object.assign<Template, object>(row, {
    iso_size_gi: isoSize,
    version: undefined,
    hypervisor: 'KubeVirt',
  })
}

/**
 * One that was switched off is not for choosing; one that is being imported or could not be is
 * shown for that.
 */
const isListed = ({ state, import_state }: Template): boolean =>
  state === 'Active' || Boolean(import_state)

const template = object({
  id,
  'tenant_id?': id,
  name: text,
  display_name: text,
  'description?': text,
  image: text,
  hypervisor: text,
  created_at: time,
  'source_type?': oneOf('container', 'iso'),
  'os_type?': text,
  'cloud_init_user_data?': text,
  'iso_size_gi?': whole,
  'boot_disk_size_gi?': whole,
  'storage_class?': text,
  'import_state?': oneOf('importing', 'ready', 'failed'),
  state: oneOf('Active', 'Inactive'),
})

export const vmTemplateRoutes: RestRoute[] = [
  route<{ vmTemplates: { nodes: Template[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/vm-templates',
    summary: "List what VMs can be made from: the platform's templates and the tenant's own",
    tag: 'VM templates',
    run: `query ListVmTemplates($first: Int, $after: String, $filter: VmTemplateFilter, $orderBy: VmTemplateOrder) {
      vmTemplates(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${fields} } ${pageFields} } }`,
    input: ({ query }) => listing.variables(query),
    output: ({ vmTemplates }) => ({
      vm_templates: vmTemplates.nodes.filter(isListed).map(wireTemplate),
    }),
    pageOf: ({ vmTemplates }) => vmTemplates.pageInfo,
    status: 200,
    query: listing.query,
    response: object({ vm_templates: list(template) }),
  }),
  route<{ createVmTemplate: { vmTemplate: Template } }>({
    method: 'POST',
    path: '/api/v1/vm-templates',
    summary: 'Add a template; an ISO is imported first',
    tag: 'VM templates',
    run: `mutation CreateVmTemplate($input: CreateVmTemplateInput!) { createVmTemplate(input: $input) { vmTemplate { ${fields} } } }`,
    input: ({ body }) => ({
      input: {
        name: field.required(body, 'name'),
        displayName: field.text(body, 'display_name'),
        description: field.text(body, 'description'),
        image: field.required(body, 'image'),
        sourceType: field.text(body, 'source_type'),
        osType: field.text(body, 'os_type'),
        cloudInitUserData: field.text(body, 'cloud_init_user_data'),
        isoSizeGi: field.positive(body, 'iso_size_gi'),
        bootDiskSizeGi: field.positive(body, 'boot_disk_size_gi'),
        storageClass: field.text(body, 'storage_class'),
      },
    }),
    output: ({ createVmTemplate }) => ({ vm_template: wireTemplate(createVmTemplate.vmTemplate) }),
    status: 201,
    request: object({
      name: text,
      'display_name?': text,
      'description?': text,
      image: text,
      'source_type?': oneOf('container', 'iso'),
      'os_type?': oneOf('linux', 'windows'),
      'cloud_init_user_data?': text,
      'iso_size_gi?': whole,
      'boot_disk_size_gi?': whole,
      'storage_class?': text,
    }),
    response: object({ vm_template: template }),
  }),
  route<{ updateVmTemplate: { vmTemplate: Template } }>({
    method: 'PATCH',
    path: '/api/v1/vm-templates/{id}',
    summary: 'Change a template; a description and user data that are not sent are erased',
    tag: 'VM templates',
    run: `mutation UpdateVmTemplate($input: UpdateVmTemplateInput!) { updateVmTemplate(input: $input) { vmTemplate { ${fields} } } }`,
    input: ({ params, body, ifVersion }) => ({
      input: {
        id: params.id,
        ifVersion,
        displayName: field.text(body, 'display_name'),
        description: field.text(body, 'description') ?? '',
        image: field.text(body, 'image'),
        osType: field.text(body, 'os_type'),
        state: field.text(body, 'state'),
        cloudInitUserData: field.text(body, 'cloud_init_user_data') ?? '',
      },
    }),
    output: ({ updateVmTemplate }) => ({ vm_template: wireTemplate(updateVmTemplate.vmTemplate) }),
    versionOf: ({ updateVmTemplate }) => updateVmTemplate.vmTemplate.version,
    status: 200,
    request: object({
      'display_name?': text,
      'description?': text,
      'image?': text,
      'os_type?': oneOf('linux', 'windows'),
      'state?': oneOf('Active', 'Inactive'),
      'cloud_init_user_data?': text,
    }),
    response: object({ vm_template: template }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/vm-templates/{id}',
    summary: 'Remove a template; the VMs made from it stay',
    tag: 'VM templates',
    run: `mutation DeleteVmTemplate($input: DeleteVmTemplateInput!) { deleteVmTemplate(input: $input) { vmTemplate { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => ({ success: true }),
    status: 200,
    response: success,
  }),
]
