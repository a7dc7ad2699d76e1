import { rowChanges } from '../change/row-changes.ts'
import { Vm } from './vm-types.ts'

export const VmChangesResolver = rowChanges({
  name: 'vmChanged',
  type: () => Vm,
  needs: ['vms:read'],
  kind: 'vm',
  noun: 'VM',
  description: 'The VM as it is, and again each time that it has changed, until it is gone.',
  read: (reads, id) => reads.vms.find(id),
})
