import { listParameters, listVariables, pageFields } from '../../../engine/rest/request-query.ts'
import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/json-schema.ts'
import { type VmRow, newVm, vm, vmChange } from './vm-shape.ts'

const { text } = scalar

interface Created {
  createVm: { vm: VmRow; operation: JobRow }
}

export const vmRoutes: RestRoute[] = [
  route<{ vms: { nodes: VmRow[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/vms',
    summary: 'List the VMs of the tenant',
    tag: 'VMs',
    run: `query ListVms($first: Int, $after: String, $filter: VmFilter, $orderBy: VmOrder) {
      vms(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${vm.selection} } ${pageFields} } }`,
    input: ({ query }) => listVariables(query),
    output: ({ vms }) => ({ vms: vm.toWireAll(vms.nodes) }),
    pageOf: ({ vms }) => vms.pageInfo,
    status: 200,
    query: listParameters,
    response: object({ vms: list(vm.schema) }),
  }),
  route<{ vmByName: VmRow }>({
    method: 'GET',
    path: '/api/v1/vms/{name}',
    summary: 'Get a VM',
    tag: 'VMs',
    run: `query GetVm($name: String!) { vmByName(name: $name) { ${vm.selection} } }`,
    input: ({ params }) => ({ name: params.name }),
    // Berth has no log explorer to link to.
    output: ({ vmByName }) => ({ vm: vm.toWire(vmByName), velas_url: '' }),
    versionOf: ({ vmByName }) => vmByName.version,
    status: 200,
    response: object({ vm: vm.schema, velas_url: text }),
  }),
  route<Created>({
    method: 'POST',
    path: '/api/v1/vms',
    summary: 'Create a VM and start it',
    tag: 'VMs',
    run: `mutation CreateVm($input: CreateVmInput!, $waitSeconds: Int) { createVm(input: $input, waitSeconds: $waitSeconds) {
      vm { ${vm.selection} } ${jobFields} } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createVm }) => ({ vm: vm.toWire(createVm.vm) }),
    accepted: {
      operationOf: ({ createVm }) => createVm.operation,
      isRequested: ({ sent }) => sent['async'] === true,
    },
    status: 201,
    created: '/api/v1/vms/{name}',
    request: newVm,
    response: object({ vm: vm.schema }),
  }),
  route<{ updateVm: { vm: VmRow; operation: JobRow | null } }>({
    method: 'PATCH',
    path: '/api/v1/vms/{name}',
    summary: 'Update a VM; a new size takes effect with the next start',
    tag: 'VMs',
    run: `mutation UpdateVm($input: UpdateVmInput!, $waitSeconds: Int) {
      updateVm(input: $input, waitSeconds: $waitSeconds) { vm { ${vm.selection} } ${jobFields} } }`,
    input: ({ params, body }) => ({ input: { ...body, name: params.name } }),
    takesVersion: true,
    output: ({ updateVm }) => ({ vm: vm.toWire(updateVm.vm) }),
    versionOf: ({ updateVm }) => updateVm.vm.version,
    accepted: { operationOf: ({ updateVm }) => updateVm.operation },
    status: 200,
    request: vmChange,
    response: object({ vm: vm.schema }),
  }),
]
