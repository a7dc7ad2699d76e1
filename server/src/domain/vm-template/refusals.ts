import { Fault, type FaultDetails, transient } from '../../engine/model/fault.ts'
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

/** Returns why no VM can be deployed from the template now, or null when one can. */
export function deployRefusal({
  name,
  state,
  importState,
  deleting,
}: Pick<VmTemplateView, 'name' | 'state' | 'importState' | 'deleting'>): Fault | null {
  const notReady = (refusal: Message, details: FaultDetails = {}): Fault =>
    new Fault('template_not_ready', refusal, details)
  if (deleting) return notReady(messageOf('template.deleting_choose', { name }))
  if (importState === 'importing')
    return notReady(messageOf('template.importing_wait', { name }), transient)
  if (importState === 'failed') return notReady(messageOf('template.import_failed', { name }))
  return state === 'Active' ? null : notReady(messageOf('template.inactive', { name }))
}
