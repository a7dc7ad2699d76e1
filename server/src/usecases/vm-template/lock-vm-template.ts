import { notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type TemplateAction, mustAllow } from '../../domain/vm-template/refusals.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { type OperationTarget } from '../operation/open-operation.ts'

/**
 * Returns a template on which the tenant may do the action, locked. Templates of the platform are
 * visible to all tenants and cannot be changed, not even by root.
 */
export async function lockVmTemplate(
  op: Op,
  { id, ifVersion }: VersionedRequest,
  action: TemplateAction,
) {
  mustActInTenant(op.viewer)
  const unlocked = await op.reads.vmTemplates.find(id)
  if (!unlocked) throw notFound('template', id)
  op.audit.setTarget('vm_template', { id, name: unlocked.name, tenantId: unlocked.tenantId })
  if (unlocked.readOnly) mustAllow(action, unlocked)
  const row = await op.vmTemplates.get(id)
  mustBeVersion('template', row, ifVersion)
  // The template is read again, because the state before the lock may be outdated.
  mustAllow(action, (await op.reads.vmTemplates.find(id)) ?? unlocked)
  return row
}

/** Returns the template as written by the unit of work, and adds it to the change log. */
export async function vmTemplateAfter(op: Op, id: string): Promise<VmTemplateView> {
  await op.flush()
  const template = await op.reads.vmTemplates.find(id)
  if (!template) throw notFound('template', id)
  op.changes.record('vm_template', { id, version: template.version, tenantId: template.tenantId })
  return template
}

export const targetOf = ({
  id,
  name,
  tenantId,
}: Pick<VmTemplateView, 'id' | 'name' | 'tenantId'>): OperationTarget => {
  if (tenantId === null)
    throw new TypeError('a template of the platform cannot be the target of an operation')
  return { kind: 'vm_template', id, name, tenantId }
}
