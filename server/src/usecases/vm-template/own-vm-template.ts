import { notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type TemplateAction, mustAllow } from '../../domain/vm-template/refusals.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { type Op } from '../../store/op.ts'
import { type OperationTarget } from '../operation/open-operation.ts'

/**
 * A template that the tenant may do this to, locked; the platform's are seen by all and changed by
 * none, root included.
 */
export async function ownVmTemplate(op: Op, id: string, action: TemplateAction) {
  mustActInTenant(op.viewer)
  const seen = await op.reads.vmTemplates.find(id)
  if (!seen) throw notFound('template', id)
  op.audit.about('vm_template', { id, name: seen.name, tenantId: seen.tenantId })
  if (seen.readOnly) mustAllow(action, seen)
  const row = await op.vmTemplates.get(id)
  // Read again: what was seen before the lock may be over.
  mustAllow(action, (await op.reads.vmTemplates.find(id)) ?? seen)
  return row
}

/** The template as the unit has written it, noted as changed. */
export async function vmTemplateAfter(op: Op, id: string): Promise<VmTemplateView> {
  await op.flush()
  const template = await op.reads.vmTemplates.find(id)
  if (!template) throw notFound('template', id)
  op.changes.note('vm_template', { id, version: template.version, tenantId: template.tenantId })
  return template
}

export const targetOf = ({
  id,
  name,
  tenantId,
}: Pick<VmTemplateView, 'id' | 'name' | 'tenantId'>): OperationTarget => {
  if (tenantId === null)
    throw new TypeError('a template of the platform is the target of no operation')
  return { kind: 'vm_template', id, name, tenantId }
}
