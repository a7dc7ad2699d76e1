import { Fault } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { displayNameOf, requireName, requireText } from '../../engine/model/name.ts'
import { requireAll } from '../../engine/model/require-all.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import {
  type ImportRules,
  requireImageReference,
  requireImageUrl,
} from '../../domain/vm-template/image.ts'
import {
  requireDiskSize,
  requireStorageClass,
  requireUserDataOfTemplate,
} from '../../domain/vm-template/rules.ts'
import {
  type GuestSystem,
  type TemplateSource,
  type VmTemplateView,
} from '../../domain/vm-template/vm-template.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { targetOf } from './lock-vm-template.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateVmTemplateRequest {
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

const maxDescriptionLength = 2000

/** The rules and limits for image imports of tenants. */
export interface ImportBounds {
  importRules: ImportRules
  quotaDefaults: QuotaLimits
}

/**
 * Adds a template to the current tenant. The returned operation imports an ISO; VMs can be created
 * from it afterwards.
 */
export async function createVmTemplate(
  op: Op,
  request: CreateVmTemplateRequest,
  { importRules, quotaDefaults: defaults }: ImportBounds,
): Promise<{ vmTemplate: VmTemplateView; operation: OperationView | null }> {
  const tenantId = mustActInTenant(op.viewer)
  const values = valuesFrom(request, importRules)
  if (values.sourceType === 'iso') await mustHaveNamespace(op, tenantId)
  const { name } = values
  const taken = await op.vmTemplates.takenName(tenantId, name)
  if (taken) throw new Fault('already_exists', messageOf('template.name_taken', { name }), taken)
  if (values.sourceType === 'iso')
    await mustFitQuota(op, { tenantId, defaults, requested: { storageGi: values.isoSizeGi } })
  const vmTemplate = await op.vmTemplates.insert({ tenantId, ...values })
  op.changes.record('vm_template', { id: vmTemplate.id, version: vmTemplate.version, tenantId })
  op.audit.setTarget('vm_template', { id: vmTemplate.id, name: vmTemplate.name, tenantId })
  return {
    vmTemplate,
    operation:
      values.sourceType === 'iso'
        ? await openOperation(op, 'import_iso', targetOf(vmTemplate))
        : null,
  }
}

/** Validates the description of a template, which may be empty. */
export const requireDescription = (text: string | null | undefined): string =>
  text?.trim() ? requireText(text, 'description', maxDescriptionLength) : ''

function valuesFrom(request: CreateVmTemplateRequest, rules: ImportRules) {
  const sourceType = request.sourceType ?? 'container'
  const isIso = sourceType === 'iso'
  const checked = requireAll({
    name: () => requireName(request.name, 'name', 'displayName'),
    displayName: () => displayNameOf(request.displayName, request.name),
    description: () => requireDescription(request.description),
    image: () =>
      isIso ? requireImageUrl(request.image, rules) : requireImageReference(request.image, rules),
    cloudInitUserData: () => requireUserDataOfTemplate(request.cloudInitUserData),
    isoSizeGi: () => requireDiskSize('isoSizeGi', request.isoSizeGi),
    bootDiskSizeGi: () => requireDiskSize('bootDiskSizeGi', request.bootDiskSizeGi),
    storageClass: () => requireStorageClass(request.storageClass),
  })
  return {
    ...checked,
    sourceType,
    // Existing clients upload Windows as an ISO and Linux as a container disk without sending the
    // system.
    osType: request.osType ?? (isIso ? 'windows' : 'linux'),
  } as const
}
