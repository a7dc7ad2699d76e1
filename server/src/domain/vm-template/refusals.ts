import { Fault } from '../../engine/model/fault.ts'
import { type VmTemplateView } from './vm-template.ts'

type Ruled = Pick<VmTemplateView, 'name' | 'readOnly' | 'deleting' | 'sourceType' | 'importState'>

export type TemplateAction = 'update' | 'delete' | 'retryImport'

/** Why the action is refused now, in words for a user; null when it is allowed. */
export function templateRefusal(action: TemplateAction, template: Ruled): Fault | null {
  const { name, readOnly, deleting } = template
  if (readOnly)
    return new Fault(
      'template_read_only',
      `Template ${name} comes with the platform and cannot be changed; create one of your own.`,
    )
  if (action === 'delete') return null
  if (deleting)
    return new Fault(
      'wrong_state',
      `Template ${name} is being deleted; it can no longer be changed.`,
    )
  return action === 'retryImport' ? retryRefusal(template) : null
}

export function mustAllow(action: TemplateAction, template: Ruled): void {
  const refusal = templateRefusal(action, template)
  if (refusal) throw refusal
}

function retryRefusal({ name, sourceType, importState }: Ruled): Fault | null {
  if (sourceType !== 'iso' || importState === null)
    return new Fault('wrong_state', `Template ${name} imports nothing; there is nothing to retry.`)
  if (importState === 'failed') return null
  const why =
    importState === 'ready' ? 'is imported already' : 'is still being imported; cancel that first'
  return new Fault('wrong_state', `Template ${name} ${why}.`)
}

/** Why no VM can be made from the template now; null when one can. */
export function deployRefusal({
  name,
  state,
  importState,
  deleting,
}: Pick<VmTemplateView, 'name' | 'state' | 'importState' | 'deleting'>): Fault | null {
  const notReady = (why: string): Fault =>
    new Fault('template_not_ready', `Template ${name} ${why}.`)
  if (deleting) return notReady('is being deleted; choose another one')
  if (importState === 'importing')
    return notReady('is still being imported; wait until it is ready')
  if (importState === 'failed') return notReady('could not be imported; retry its import first')
  return state === 'Active' ? null : notReady('is not active; activate it or choose another one')
}
