import { type VmView } from '../vm/vm.ts'
import { wireStateOf } from '../vm/wire-state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export const notificationLevels = ['error', 'warning'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

/** Something that a tenant may want to look at; worked out when asked for and not kept. */
export interface Notification {
  /** The same as long as the same is to be told. */
  id: string
  level: NotificationLevel
  title: Message
  message: Message
  vmName: string
  since: string
}

export const mostNotifications = 15

type Noticed = Pick<
  VmView,
  'name' | 'displayName' | 'state' | 'stateSince' | 'deleting' | 'explanation'
>

/** What is to be said of a machine that has failed or is on its way up or down. */
export function notificationOf(vm: Noticed): Notification {
  const state = wireStateOf[vm.deleting ? 'Deleting' : vm.state]
  const shared = { vmName: vm.name, since: vm.stateSince }
  const said = messageOf(`vm.notice.${state}`)
  const message =
    vm.explanation?.summary ?? messageOf('vm.notice_message', { name: vm.name, state: said })
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
    title: messageOf('vm.notice_state', { name: vm.displayName, state: said }),
    message,
  }
}
