import { notFound } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type ImportRules, requireImageReference } from '../../domain/vm-template/image.ts'
import { isoClaimName } from '../../domain/vm-template/iso-volume.ts'
import { deployRefusal } from '../../domain/vm-template/refusals.ts'
import { requireDiskSize } from '../../domain/vm-template/rules.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

type TemplateFields =
  | 'displayName'
  | 'image'
  | 'osType'
  | 'sourceType'
  | 'storageClass'
  | 'isoSizeGi'
  | 'bootDiskSizeGi'
  | 'cloudInitUserData'

/** The source from which a VM is created. */
export interface VmSource extends Pick<VmTemplateView, TemplateFields> {
  /** The id of the template. Null when there is none. */
  id: string | null
  /** The PVC of the ISO from which the VM is installed. */
  isoClaim: string | null
}

interface SourceRequest {
  templateId?: string | null
  image?: string | null
}

/** Returns the named template, or a source with default settings for the named image. */
export async function sourceOf(
  op: Op,
  { templateId, image }: SourceRequest,
  rules: ImportRules,
): Promise<VmSource> {
  if (templateId) return ofTemplate(op, templateId, rules)
  if (!image) throw invalid('templateId', messageOf('vm.image_required'))
  const reference = requireImageReference(image, rules)
  return {
    id: null,
    image: reference,
    displayName: shortNameOf(reference),
    osType: 'linux',
    sourceType: 'container',
    isoClaim: null,
    isoSizeGi: 0,
    bootDiskSizeGi: requireDiskSize('bootDiskSizeGi', null),
    storageClass: null,
    cloudInitUserData: null,
  }
}

/**
 * Returns `ubuntu` for quay.io/containerdisks/ubuntu:22.04, the short name that existing clients
 * show.
 */
const shortNameOf = (reference: string): string =>
  /([^/:@]+)(?:[:@][^/]*)?$/.exec(reference)?.[1] ?? reference

async function ofTemplate(op: Op, id: string, rules: ImportRules): Promise<VmSource> {
  const template = await op.reads.vmTemplates.find(id)
  if (!template) throw notFound('template', id)
  const refusal = deployRefusal(template, rules)
  if (refusal) throw refusal
  return { ...template, isoClaim: template.sourceType === 'iso' ? isoClaimName(template) : null }
}
