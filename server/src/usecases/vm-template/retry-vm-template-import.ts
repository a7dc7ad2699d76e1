import { type OperationView } from '../../domain/operation/operation.ts'
import { requireImageUrl } from '../../domain/vm-template/image.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type VersionedRequest } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { type ImportBounds } from './create-vm-template.ts'
import { lockVmTemplate, targetOf, vmTemplateAfter } from './lock-vm-template.ts'

/** Repeats a failed import, from the same URL or another one. */
export async function retryVmTemplateImport(
  op: Op,
  request: VersionedRequest & { url?: string | null },
  { importRules, quotaDefaults: defaults }: ImportBounds,
): Promise<{ vmTemplate: VmTemplateView; operation: OperationView }> {
  const tenantId = mustActInTenant(op.viewer)
  const row = await lockVmTemplate(op, request, 'retryImport')
  await mustHaveNamespace(op, tenantId)
  await mustFitQuota(op, { tenantId, defaults, requested: { storageGi: row.isoSizeGi } })
  // The current URL is validated too, because the operator's rules may have changed.
  op.vmTemplates.requestImport(row, requireImageUrl(request.url || row.image, importRules, 'url'))
  const vmTemplate = await vmTemplateAfter(op, row.id)
  return { vmTemplate, operation: await openOperation(op, 'import_iso', targetOf(vmTemplate)) }
}
