import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import {
  RequestBody,
  freeText,
  nameField,
  orBlank,
  orEmpty,
} from '../../../engine/rest/request-body.ts'
import { type RestRoute, type Versioned } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'
import { usualFilters } from '../list-filters.ts'

const { flag, id, number, text, time, whole } = scalar

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
  description: 'The operating system. A VM of `other` gets the devices of `linux`.',
}

const template = new ResponseShape<Template>(
  'VmTemplate',
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
    has_user_data: flag,
    'iso_size_gi?': whole,
    'boot_disk_size_gi?': whole,
    'storage_class?': text,
    'import_state?': oneOf('importing', 'ready', 'failed'),
    'import_reason?': { ...text, description: 'Why the import failed.' },
    'import_detail?': { ...text, description: 'The reason as a sentence, with a remedy.' },
    'import_percent?': number,
    'imported_bytes?': number,
    'total_bytes?': number,
    'bytes_per_second?': number,
    'import_eta_seconds?': number,
    state: states,
    version: hidden,
    created_at: { schema: time, before: 'source_type' },
    hypervisor: {
      schema: { ...text, description: 'Always `KubeVirt`.' },
      from: null,
      before: 'created_at',
    },
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
  'boot_disk_size_gi?': whole,
})

const retry = new RequestBody(
  { 'url?': { ...text, description: 'The new URL of the ISO; the current one by default.' } },
  { mayBeMissing: true },
)

const templates = new NounRoutes({
  tag: 'VM templates',
  path: '/api/v1/vm-templates',
  type: 'VmTemplate',
  shape: template,
})

export const vmTemplateRoutes: RestRoute[] = [
  templates.list("List the VM templates: the platform's and the tenant's own", {
    filters: {
      ...usualFilters,
      state: { description: 'Only templates in this state.', schema: states },
    },
    isListed,
  }),
  templates.get('Get a template'),
  templates.create('Create a template; an ISO is imported first', { body: newTemplate }),
  templates.update('Update a template', { body: templateChange }),
  templates.act('Repeat a failed import, from the same URL or another one', '/retry-import', {
    mutation: 'RetryVmTemplateImport',
    body: retry,
    startsOperation: true,
  }),
  templates.delete('Delete a template; the VMs created from it remain'),
]
