import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { object } from '../../../engine/rest/json-schema.ts'
import { idFilter, stateFilter, usualFilters } from '../list-filters.ts'
import { newVm, vm, vmChange, vmStates } from './vm-shape.ts'

const { text } = scalar

export const vms = new NounRoutes({
  tag: 'VMs',
  path: '/api/v1/vms',
  type: 'Vm',
  shape: vm,
  key: 'name',
})

const platformVms = new NounRoutes({
  tag: 'VMs',
  path: '/api/v1/platform-vms',
  type: 'PlatformVm',
  shape: vm,
})

const vmFilters = {
  ...usualFilters,
  ...stateFilter(vmStates, 'wireStates'),
  tag: { description: 'Only VMs with this tag.', schema: text },
  ...idFilter('template_id', 'Only VMs of this template.'),
  ...idFilter('network_id', 'Only VMs with a NIC in this network.'),
  host: { description: 'Only VMs on this node.', schema: text },
}

export const vmRoutes: RestRoute[] = [
  vms.list('List the VMs of the tenant', { filters: vmFilters }),
  platformVms.list('List the VMs of all tenants', {
    filters: { ...vmFilters, ...idFilter('tenant_id', 'Only VMs of this tenant.') },
  }),
  vms.get('Get a VM', {
    // Berth has no log explorer to link to.
    output: ({ answer }) => ({ vm: vm.toWire(answer), velas_url: '' }),
    response: object({
      vm: vm.schema,
      velas_url: { ...text, description: 'Always empty: Berth has no log explorer.' },
    }),
  }),
  vms.create('Create a VM and start it', { body: newVm, startsOperation: true }),
  vms.update('Update a VM; a new size takes effect with the next start', {
    body: vmChange,
    startsOperation: true,
  }),
]
