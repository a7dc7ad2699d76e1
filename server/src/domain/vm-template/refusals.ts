import { Fault, type FaultDetails, transient } from '../../engine/model/fault.ts'
import { type ImportRules, isRegistryAllowed } from './image.ts'
import { type VmView } from '../vm/vm.ts'
import { type VmTemplateView } from './vm-template.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

type TemplateSubject = Pick<
  VmTemplateView,
  'name' | 'readOnly' | 'deleting' | 'sourceType' | 'importState'
>

export type TemplateAction = 'update' | 'delete' | 'retryImport'

/** Returns why the action is refused now, or null when it is allowed. */
export function templateRefusal(action: TemplateAction, template: TemplateSubject): Fault | null {
  const { name, readOnly, deleting } = template
  if (readOnly) return new Fault('template_read_only', messageOf('template.of_platform', { name }))
  if (action === 'delete') return null
  if (deleting) return new Fault('wrong_state', messageOf('template.deleting', { name }))
  return action === 'retryImport' ? retryRefusal(template) : null
}

export function mustAllow(action: TemplateAction, template: TemplateSubject): void {
  const refusal = templateRefusal(action, template)
  if (refusal) throw refusal
}

function retryRefusal({ name, sourceType, importState }: TemplateSubject): Fault | null {
  if (sourceType !== 'iso' || importState === null)
    return new Fault('wrong_state', messageOf('template.imports_nothing', { name }))
  if (importState === 'failed') return null
  const key = importState === 'ready' ? 'template.imported' : 'template.importing'
  return new Fault('wrong_state', messageOf(key, { name }))
}

type DeployableTemplate = Pick<
  VmTemplateView,
  'name' | 'state' | 'importState' | 'deleting' | 'sourceType' | 'image'
>

/** Returns why no VM can be deployed from the template now, or null when one can. */
export function deployRefusal(
  { name, state, importState, deleting, sourceType, image }: DeployableTemplate,
  rules: Pick<ImportRules, 'allowedRegistries'>,
): Fault | null {
  const notReady = (refusal: Message, details: FaultDetails = {}): Fault =>
    new Fault('template_not_ready', refusal, details)
  if (deleting) return notReady(messageOf('template.deleting_choose', { name }))
  if (importState === 'importing')
    return notReady(messageOf('template.importing_wait', { name }), transient)
  if (importState === 'failed') return notReady(messageOf('template.import_failed', { name }))
  if (state !== 'Active') return notReady(messageOf('template.inactive', { name }))
  return sourceType === 'iso' || isRegistryAllowed(image, rules)
    ? null
    : notReady(messageOf('template.registry_not_allowed', { name, image }))
}

/** The root disk of a VM, and the image that it comes from. */
type ImagedVm = Pick<VmView, 'rootDisk' | 'sourceType'> & {
  image: string
  copyObject?: string | null
}

/**
 * Refuses to deploy a VM again from an image that the operator no longer allows. A root disk that
 * is copied from a snapshot or installed from an ISO needs no image.
 */
export function mustUseAllowedRegistry(
  { image, sourceType, rootDisk, copyObject }: ImagedVm,
  rules: Pick<ImportRules, 'allowedRegistries'>,
): void {
  const needsImage = sourceType === 'container' && (rootDisk === 'ephemeral' || !copyObject)
  if (!needsImage || isRegistryAllowed(image, rules)) return
  throw new Fault('feature_disabled', messageOf('vm.registry_not_allowed', { image }))
}
