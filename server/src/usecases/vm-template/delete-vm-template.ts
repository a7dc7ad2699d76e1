import { type OperationView } from '../../domain/operation/operation.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { notFound } from '../../domain/fault.ts'
import { type Op } from '../../store/op.ts'
import { ownVmTemplate } from './own-vm-template.ts'

/** Takes a template out of the catalogue; VMs made from it stay. */
export async function deleteVmTemplate(
  op: Op,
  asked: { id: string },
): Promise<{ vmTemplate: VmTemplateView; operation: OperationView | null }> {
  const row = await ownVmTemplate(op, asked.id, 'delete')
  const vmTemplate = await op.reads.vmTemplates.find(row.id)
  if (!vmTemplate) throw notFound('template', asked.id)
  op.vmTemplates.markGone(row)
  op.changes.note('vm_template', { id: row.id, version: row.version + 1, tenantId: vmTemplate.tenantId })
  return { vmTemplate, operation: null }
}
