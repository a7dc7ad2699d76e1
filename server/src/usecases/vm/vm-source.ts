import { notFound } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type ImportRules, requireImageReference } from '../../domain/vm-template/image.ts'
import { isoClaimName } from '../../domain/vm-template/iso-volume.ts'
import { deployRefusal } from '../../domain/vm-template/refusals.ts'
import { requireDiskSize } from '../../domain/vm-template/rules.ts'
import { type VmTemplateView } from '../../domain/vm-template/vm-template.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

type Said =
  | 'displayName'
  | 'image'
  | 'osType'
  | 'sourceType'
  | 'storageClass'
  | 'isoSizeGi'
  | 'bootDiskSizeGi'
  | 'cloudInitUserData'

/** What a machine is made from. */
export interface VmSource extends Pick<VmTemplateView, Said> {
  /** Null where there is no template. */
  id: string | null
  /** Where the ISO lies that it is installed from. */
  isoClaim: string | null
}

interface Named {
  templateId?: string | null
  image?: string | null
}

/**
 * The template that is named, or else the image: a machine of that begins as one of a template that
 * says nothing more.
 */
export async function sourceOf(
  op: Op,
  { templateId, image }: Named,
  rules: ImportRules,
): Promise<VmSource> {
  if (templateId) return ofTemplate(op, templateId)
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

/** Of quay.io/containerdisks/ubuntu:22.04 it is ubuntu, as existing clients know it. */
const shortNameOf = (reference: string): string =>
  /([^/:@]+)(?:[:@][^/]*)?$/.exec(reference)?.[1] ?? reference

async function ofTemplate(op: Op, id: string): Promise<VmSource> {
  const template = await op.reads.vmTemplates.find(id)
  if (!template) throw notFound('template', id)
  const refusal = deployRefusal(template)
  if (refusal) throw refusal
  return { ...template, isoClaim: template.sourceType === 'iso' ? isoClaimName(template) : null }
}
