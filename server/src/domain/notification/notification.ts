import { type VmView } from '../vm/vm.ts'
import { wireStateOf } from '../vm/wire-state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export const notificationLevels = ['error', 'warning'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

/** A condition that may need the tenant's attention. It is computed per request and not stored. */
export interface Notification {
  /** Stable as long as the condition lasts. */
  id: string
  level: NotificationLevel
  title: Message
  message: Message
  vmName: string
  since: string
}

export const maxNotifications = 15

type NotifiedVm = Pick<
  VmView,
  | 'name'
  | 'displayName'
  | 'state'
  | 'stateSince'
  | 'deleting'
  | 'wantedPower'
  | 'startRequested'
  | 'explanation'
>

/** Returns the notification for a VM that has failed, or is starting or stopping. */
export function notificationOf(vm: NotifiedVm): Notification {
  const state = wireStateOf(vm)
  const shared = { vmName: vm.name, since: vm.stateSince }
  const stateText = messageOf(`vm.notice.${state}`)
  const message =
    vm.explanation?.summary ?? messageOf('vm.notice_message', { name: vm.name, state: stateText })
  if (state === 'Error')
    return {
      ...shared,
      id: `vm-error-${vm.name}`,
      level: 'error',
      title: messageOf('vm.notice_problem', { name: vm.displayName }),
      message,
    }
  return {
    ...shared,
    id: `vm-trans-${vm.name}-${state}`,
    level: 'warning',
    title: messageOf('vm.notice_state', { name: vm.displayName, state: stateText }),
    message,
  }
}
