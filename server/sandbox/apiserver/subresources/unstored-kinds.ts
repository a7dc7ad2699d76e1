import { builtIn, custom } from '../../kinds/row.ts'
import { anything, int, object, structOf, text } from '../../objects/schema.ts'
import { type Resource } from '../../objects/resource.ts'

const target = structOf(
  text,
  'apiVersion',
  'fieldPath',
  'kind',
  'name',
  'namespace',
  'resourceVersion',
  'uid',
)

/** Kinds that are only bodies of subresources. */
export const subresourceKinds = {
  binding: builtIn({
    plural: 'bindings',
    kind: 'Binding',
    verbs: ['create'],
    schema: object({ target }),
  }),
  eviction: builtIn({
    group: 'policy',
    plural: 'evictions',
    kind: 'Eviction',
    schema: object({ deleteOptions: anything }),
  }),
  scale: builtIn({
    group: 'autoscaling',
    plural: 'scales',
    kind: 'Scale',
    schema: object({
      spec: object({ replicas: int }),
      status: object({ replicas: int, selector: text }),
    }),
  }),
} satisfies Record<string, Resource>

const componentStatuses = builtIn({
  plural: 'componentstatuses',
  singular: 'componentstatus',
  kind: 'ComponentStatus',
  namespaced: false,
  shortNames: ['cs'],
  verbs: ['get', 'list'],
  schema: object({ conditions: anything }),
})

const uploadTokenRequests = custom({
  group: 'upload.cdi.kubevirt.io',
  version: 'v1beta1',
  plural: 'uploadtokenrequests',
  kind: 'UploadTokenRequest',
  shortNames: ['utr', 'utrs'],
  verbs: ['create'],
  schema: object({ spec: structOf(text, 'pvcName'), status: structOf(text, 'token') }),
})

/** Kinds that are not stored. The API server answers their requests at once. */
export const unstoredRows: readonly Resource[] = [
  subresourceKinds.binding,
  componentStatuses,
  uploadTokenRequests,
]

export const unstoredAt = (group: string, version: string, plural: string): Resource | undefined =>
  unstoredRows.find(
    (row) => row.group === group && row.version === version && row.plural === plural,
  )
