import { type OperationView } from '../../domain/operation/operation.ts'
import { requireImageUrl } from '../../domain/vm-template/image.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { mustHaveRoom } from '../tenant/must-have-room.ts'
import { type ImportBounds } from './create-vm-template.ts'
import { ownVmTemplate, targetOf, vmTemplateAfter } from './own-vm-template.ts'

/** Begins a failed import once more, from the same URL or another one. */
export async function retryVmTemplateImport(
  op: Op,
  asked: { id: string; url?: string | null },
  { importRules, quotaDefaults: defaults }: ImportBounds,
): Promise<{ vmTemplate: VmTemplateView; operation: OperationView }> {
  const tenantId = mustActInTenant(op.viewer)
  const row = await ownVmTemplate(op, asked.id, 'retryImport')
  await mustHaveRoom(op, tenantId)
  await mustFit(op, { tenantId, defaults, asked: { storageGi: row.isoSizeGi } })
  // Also the old one: what the operator allows may have changed since.
  op.vmTemplates.requestImport(row, requireImageUrl(asked.url || row.image, importRules, 'url'))
  const vmTemplate = await vmTemplateAfter(op, row.id)
  return { vmTemplate, operation: await openOperation(op, 'import_iso', targetOf(vmTemplate)) }
}
