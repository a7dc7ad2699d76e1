import { displayNameOf, invalid } from '../../engine/model/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type ImportRules, requireImageReference } from '../../domain/vm-template/image.ts'
import { requireDiskSize, requireUserDataOfTemplate } from '../../domain/vm-template/rules.ts'
import {
  type GuestSystem,
  type TemplateSource,
  type TemplateState,
  type VmTemplateView,
} from '../../domain/vm-template/vm-template.ts'
import { type Op } from '../../store/op.ts'
import { requireDescription } from './create-vm-template.ts'
import { lockVmTemplate, vmTemplateAfter } from './lock-vm-template.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface UpdateVmTemplateRequest {
  id: string
  /** An empty text stands for the name. */
  displayName?: string | null
  /** The image of a container template. An ISO gets another URL by a retry of its import. */
  image?: string | null
  /** The present source. Older clients send it with each change. */
  sourceType?: TemplateSource | null
  osType?: GuestSystem | null
  state?: TemplateState | null
  /** An empty text removes it, here and below. An omitted field does not change. */
  description?: string | null
  cloudInitUserData?: string | null
  bootDiskSizeGi?: number | null
  ifVersion?: number | null
}

/** Changes a template for future VMs. Existing VMs do not change. */
export async function updateVmTemplate(
  op: Op,
  request: UpdateVmTemplateRequest,
  rules: ImportRules,
): Promise<{ vmTemplate: VmTemplateView; operation: OperationView | null }> {
  const row = await lockVmTemplate(op, request, 'update')
  const { displayName, image, sourceType, osType, state, bootDiskSizeGi } = request
  if (sourceType && sourceType !== row.sourceType)
    throw invalid('sourceType', messageOf('template.other_source', { source: row.sourceType }))
  if (typeof displayName === 'string') row.displayName = displayNameOf(displayName, row.name)
  if (image && image !== row.image) row.image = changedImage(row.sourceType, image, rules)
  row.bootDiskSizeGi = requireDiskSize('bootDiskSizeGi', bootDiskSizeGi ?? row.bootDiskSizeGi)
  row.osType = osType ?? row.osType
  row.state = state ?? row.state
  changeTexts(row, request)
  return { vmTemplate: await vmTemplateAfter(op, row.id), operation: null }
}

function changedImage(
  source: VmTemplateView['sourceType'],
  image: string,
  rules: ImportRules,
): string {
  if (source === 'container') return requireImageReference(image, rules)
  throw invalid('image', messageOf('template.imported_source'))
}

interface Texts {
  description: string
  cloudInitUserData?: string | null
}

function changeTexts(
  row: Texts,
  { description, cloudInitUserData }: UpdateVmTemplateRequest,
): void {
  if (typeof description === 'string') row.description = requireDescription(description)
  if (typeof cloudInitUserData === 'string')
    row.cloudInitUserData = requireUserDataOfTemplate(cloudInitUserData)
}
