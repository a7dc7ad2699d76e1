import { type VmView } from '../vm/vm.ts'
import { type WireState, wireStateOf } from '../vm/wire-state.ts'

export const notificationLevels = ['error', 'warning'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

/** Something that a tenant may want to look at; worked out when asked for and not kept. */
export interface Notification {
  /** The same as long as the same is to be told. */
  id: string
  level: NotificationLevel
  title: string
  message: string
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
  const message = vm.explanation?.summary ?? `VM ${vm.name} is ${said(state)}.`
  if (state === 'Error')
    return {
      ...shared,
      id: `vm-error-${vm.name}`,
      level: 'error',
      title: `${vm.displayName} has a problem`,
      message,
    }
  return {
    ...shared,
    id: `vm-trans-${vm.name}-${state}`,
    level: 'warning',
    title: `${vm.displayName} is ${said(state)}`,
    message,
  }
}

const said = (state: WireState): string =>
  state === 'Error' ? 'not as it should be' : state.toLowerCase()
