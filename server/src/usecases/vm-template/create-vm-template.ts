import { Fault } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { requireSlug, requireText } from '../../engine/model/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import {
  type ImportRules,
  requireImageReference,
  requireImageUrl,
} from '../../domain/vm-template/image.ts'
import {
  requireDiskSize,
  requireStorageClass,
  requireUserData,
} from '../../domain/vm-template/rules.ts'
import {
  type GuestSystem,
  type TemplateSource,
  type VmTemplateView,
} from '../../domain/vm-template/vm-template.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { mustHaveRoom } from '../tenant/must-have-room.ts'
import { targetOf } from './own-vm-template.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface NewVmTemplate {
  name: string
  displayName?: string | null
  description?: string | null
  image: string
  sourceType?: TemplateSource | null
  osType?: GuestSystem | null
  cloudInitUserData?: string | null
  isoSizeGi?: number | null
  bootDiskSizeGi?: number | null
  storageClass?: string | null
}

const mostDescription = 2000

/** What the installation allows tenants to import. */
export interface ImportBounds {
  importRules: ImportRules
  quotaDefaults: QuotaLimits
}

/**
 * Adds a template to the tenant acted in. An ISO is imported by the operation that is returned; VMs
 * can be made from it afterwards.
 */
export async function createVmTemplate(
  op: Op,
  asked: NewVmTemplate,
  { importRules, quotaDefaults: defaults }: ImportBounds,
): Promise<{ vmTemplate: VmTemplateView; operation: OperationView | null }> {
  const tenantId = mustActInTenant(op.viewer)
  const values = valuesFrom(asked, importRules)
  if (values.sourceType === 'iso') await mustHaveRoom(op, tenantId)
  if (await op.vmTemplates.nameTaken(tenantId, values.name)) {
    throw new Fault('already_exists', messageOf('template.name_taken', { name: values.name }))
  }
  if (values.sourceType === 'iso')
    await mustFit(op, { tenantId, defaults, asked: { storageGi: values.isoSizeGi } })
  const vmTemplate = await op.vmTemplates.insert({ tenantId, ...values })
  op.changes.note('vm_template', { id: vmTemplate.id, version: vmTemplate.version, tenantId })
  op.audit.about('vm_template', { id: vmTemplate.id, name: vmTemplate.name, tenantId })
  return {
    vmTemplate,
    operation:
      values.sourceType === 'iso'
        ? await openOperation(op, 'import_iso', targetOf(vmTemplate))
        : null,
  }
}

/** Words of a tenant about a template; none is fine. */
export const requireDescription = (text: string | null | undefined): string =>
  text?.trim() ? requireText(text, 'description', mostDescription) : ''

function valuesFrom(asked: NewVmTemplate, rules: ImportRules) {
  const sourceType = asked.sourceType ?? 'container'
  const isIso = sourceType === 'iso'
  return {
    name: requireSlug(asked.name, 'name'),
    displayName: requireText(asked.displayName || asked.name, 'displayName'),
    description: requireDescription(asked.description),
    image: isIso ? requireImageUrl(asked.image, rules) : requireImageReference(asked.image, rules),
    sourceType,
    // Existing clients upload Windows as an ISO and Linux as a container disk, without saying so.
    osType: asked.osType ?? (isIso ? 'windows' : 'linux'),
    cloudInitUserData: requireUserData(asked.cloudInitUserData),
    isoSizeGi: requireDiskSize('isoSizeGi', asked.isoSizeGi),
    bootDiskSizeGi: requireDiskSize('bootDiskSizeGi', asked.bootDiskSizeGi),
    storageClass: requireStorageClass(asked.storageClass),
  } as const
}
