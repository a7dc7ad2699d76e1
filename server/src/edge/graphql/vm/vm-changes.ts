import { rowChanges } from '../change/row-changes.ts'
import { Vm } from './vm-types.ts'

export const VmChangesResolver = rowChanges({
  name: 'vmChanged',
  type: () => Vm,
  needs: ['vms:read'],
  kind: 'vm',
  noun: 'VM',
  description: 'Sends the VM now and after each change, until it is deleted.',
  read: (reads, id) => reads.vms.find(id),
})
