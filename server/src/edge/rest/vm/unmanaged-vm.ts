import { list, oneOf } from '../../../engine/rest/json-schema.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { ResponseShape, listOf } from '../../../engine/rest/response-shape.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { usualFilters } from '../list-filters.ts'
import { vms } from './vm.ts'

const { id, text, time, whole } = scalar

const disk = new ResponseShape('UnmanagedVmDisk', {
  name: text,
  kind: oneOf('volume', 'image', 'cloud_init', 'other'),
  'source?': text,
  'size_gi?': whole,
  'storage_class?': text,
})

const nic = new ResponseShape('UnmanagedVmNic', {
  name: text,
  'network?': text,
  'mac?': text,
})

const unmanagedVm = new ResponseShape<{ disks: object[]; nics: object[] }>(
  'UnmanagedVm',
  {
    id,
    tenant_id: id,
    name: text,
    power: oneOf('on', 'off'),
    'status?': text,
    'cpu?': whole,
    'memory_mi?': whole,
    disks: listOf(disk),
    nics: listOf(nic),
    obstacles: list(text),
    created_at: time,
  },
  (row) => {
    disk.toWireAll(row.disks)
    nic.toWireAll(row.nics)
  },
)

const unmanagedVms = new NounRoutes({
  tag: 'VMs',
  path: '/api/v1/unmanaged-vms',
  type: 'UnmanagedVm',
  shape: unmanagedVm,
  key: 'name',
})

const adoption = new RequestBody({}, { mayBeMissing: true })

/** VMs of other clients. The path is not below `/vms`, where a VM may have any name. */
export const unmanagedVmRoutes: RestRoute[] = [
  unmanagedVms.list('List the VMs in the namespace of the tenant that Berth does not manage', {
    filters: usualFilters,
  }),
  vms.create('Make a VM that Berth does not manage a VM of Berth', {
    mutation: 'AdoptVm',
    path: '/api/v1/unmanaged-vms/{name}/adopt',
    body: adoption,
    startsOperation: true,
    input: ({ params, body }) => ({ input: { ...body, name: params['name'] } }),
  }),
]
