import { rowChanges } from '../change/row-changes.ts'
import { VmTemplate } from './vm-template-types.ts'

export const VmTemplateChangesResolver = rowChanges({
  name: 'vmTemplateChanged',
  type: () => VmTemplate,
  needs: ['vms:read'],
  kind: 'vm_template',
  noun: 'template',
  description:
    'The template as it is, and again each time that it or the progress of its import has changed, until it is deleted.',
  read: (reads, id) => reads.vmTemplates.find(id),
})
