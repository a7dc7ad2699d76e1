import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { listParameters, listVariables, pageFields } from '../../../engine/rest/request-query.ts'
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

const { id, text, time, whole } = scalar

interface Template extends Versioned {
  import_state: string | null
  source_type: 'container' | 'iso'
  iso_size_gi: number | undefined
  state: 'Active' | 'Inactive'
  hypervisor?: 'KubeVirt'
}

/** Hides inactive templates. A template whose import runs or failed is listed nevertheless. */
const isListed = ({ state, import_state }: Template): boolean =>
  state === 'Active' || Boolean(import_state)

const states = oneOf('Active', 'Inactive')
const sources = oneOf('container', 'iso')
const systems = {
  ...oneOf('linux', 'windows', 'other'),
  description: 'A VM of `other` gets the devices of `linux`.',
}

const template = new ResponseShape<Template>(
  {
    id,
    'tenant_id?': id,
    name: text,
    display_name: text,
    'description?': text,
    image: text,
    'source_type?': sources,
    'os_type?': text,
    'cloud_init_user_data?': text,
    'iso_size_gi?': whole,
    'boot_disk_size_gi?': whole,
    'storage_class?': text,
    'import_state?': oneOf('importing', 'ready', 'failed'),
    state: states,
    version: hidden,
    created_at: { schema: time, before: 'source_type' },
    hypervisor: { schema: text, from: null, before: 'created_at' },
  },
  (row) => {
    if (row.source_type !== 'iso') row.iso_size_gi = undefined
    row.hypervisor = 'KubeVirt'
  },
)

const newTemplate = new RequestBody({
  name: nameField('display_name'),
  'display_name?': orBlank(text),
  'description?': orBlank(text),
  image: text,
  'source_type?': orEmpty(sources),
  'os_type?': orEmpty(systems),
  'cloud_init_user_data?': orBlank(text),
  'iso_size_gi?': { schema: whole, absent: [0] },
  'boot_disk_size_gi?': { schema: whole, absent: [0] },
  'storage_class?': orBlank(text),
})

const templateChange = new RequestBody({
  'display_name?': { ...freeText, absent: [''] },
  'description?': freeText,
  'image?': orEmpty(text),
  'source_type?': orEmpty({
    ...sources,
    description: 'The present source type. It cannot change.',
  }),
  'os_type?': orEmpty(systems),
  'state?': orEmpty(states),
  'cloud_init_user_data?': freeText,
})

export const vmTemplateRoutes: RestRoute[] = [
  route<{ vmTemplates: { nodes: Template[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/vm-templates',
    summary: "List the VM templates: the platform's and the tenant's own",
    tag: 'VM templates',
    run: `query ListVmTemplates($first: Int, $after: String, $filter: VmTemplateFilter, $orderBy: VmTemplateOrder) {
      vmTemplates(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${template.selection} } ${pageFields} } }`,
    input: ({ query }) => listVariables(query),
    output: ({ vmTemplates }) => ({
      vm_templates: template.toWireAll(vmTemplates.nodes.filter(isListed)),
    }),
    pageOf: ({ vmTemplates }) => vmTemplates.pageInfo,
    status: 200,
    query: listParameters,
    response: object({ vm_templates: list(template.schema) }),
  }),
  route<{ vmTemplate: Template }>({
    method: 'GET',
    path: '/api/v1/vm-templates/{id}',
    summary: 'Get a template',
    tag: 'VM templates',
    run: `query GetVmTemplate($id: ID!) { vmTemplate(id: $id) { ${template.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: ({ vmTemplate }) => vmTemplate.version,
    output: ({ vmTemplate }) => ({ vm_template: template.toWire(vmTemplate) }),
    status: 200,
    response: object({ vm_template: template.schema }),
  }),
  route<{ createVmTemplate: { vmTemplate: Template } }>({
    method: 'POST',
    path: '/api/v1/vm-templates',
    summary: 'Create a template; an ISO is imported first',
    tag: 'VM templates',
    run: `mutation CreateVmTemplate($input: CreateVmTemplateInput!) { createVmTemplate(input: $input) { vmTemplate { ${template.selection} } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createVmTemplate }) => ({
      vm_template: template.toWire(createVmTemplate.vmTemplate),
    }),
    status: 201,
    created: '/api/v1/vm-templates/{id}',
    request: newTemplate,
    response: object({ vm_template: template.schema }),
  }),
  route<{ updateVmTemplate: { vmTemplate: Template } }>({
    method: 'PATCH',
    path: '/api/v1/vm-templates/{id}',
    summary: 'Update a template',
    tag: 'VM templates',
    run: `mutation UpdateVmTemplate($input: UpdateVmTemplateInput!) { updateVmTemplate(input: $input) { vmTemplate { ${template.selection} } } }`,
    input: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    takesVersion: true,
    output: ({ updateVmTemplate }) => ({
      vm_template: template.toWire(updateVmTemplate.vmTemplate),
    }),
    versionOf: ({ updateVmTemplate }) => updateVmTemplate.vmTemplate.version,
    status: 200,
    request: templateChange,
    response: object({ vm_template: template.schema }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/vm-templates/{id}',
    summary: 'Delete a template; the VMs created from it remain',
    tag: 'VM templates',
    run: `mutation DeleteVmTemplate($input: DeleteVmTemplateInput!) { deleteVmTemplate(input: $input) { vmTemplate { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    takesVersion: true,
    output: () => ({ success: true }),
    status: 200,
    response: success,
  }),
]
