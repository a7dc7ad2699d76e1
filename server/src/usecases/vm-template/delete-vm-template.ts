import { Fault, notFound, transient } from '../../engine/model/fault.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { type VersionedRequest } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { lockVmTemplate, targetOf, vmTemplateAfter } from './lock-vm-template.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Removes a template from the catalogue. VMs created from it remain, because each has its own copy.
 * The request is refused while a VM is being deployed from it. The returned operation removes the
 * imported volume, and a repeated request returns the open one.
 */
export async function deleteVmTemplate(
  op: Op,
  request: VersionedRequest,
): Promise<{ vmTemplate: VmTemplateView; operation: OperationView | null }> {
  const row = await lockVmTemplate(op, request, 'delete')
  const vmTemplate = await op.reads.vmTemplates.find(row.id)
  if (!vmTemplate) throw notFound('template', request.id)
  if (row.importGeneration === 0) {
    op.vmTemplates.markGone(row)
    op.changes.record('vm_template', {
      id: row.id,
      version: row.version + 1,
      tenantId: vmTemplate.tenantId,
    })
    return { vmTemplate, operation: null }
  }
  const [running] = (await op.operations.unfinished('vm_template', row.id)).filter(
    ({ kind }) => kind === 'delete_vm_template',
  )
  if (running) return { vmTemplate, operation: await op.reads.operations.find(running.id) }
  mustNotBeCopied(row.name, await op.vms.deployingFrom(row.id))
  if (!row.deleteRequestedAt) op.vmTemplates.requestDelete(row)
  const operation = await openOperation(op, 'delete_vm_template', targetOf(vmTemplate))
  return { vmTemplate: await vmTemplateAfter(op, row.id), operation }
}

function mustNotBeCopied(name: string, deploying: number): void {
  if (deploying > 0)
    throw new Fault('in_use', messageOf('template.being_copied', { name, n: deploying }), transient)
}
