import { rowChanges } from '../change/row-changes.ts'
import { VmTemplate } from './vm-template-types.ts'

export const VmTemplateChangesResolver = rowChanges({
  name: 'vmTemplateChanged',
  type: () => VmTemplate,
  needs: ['vms:read'],
  kind: 'vm_template',
  noun: 'template',
  description:
    'Sends the template now and after each change of it or of its import progress, until it is deleted.',
  read: (reads, id) => reads.vmTemplates.find(id),
})
