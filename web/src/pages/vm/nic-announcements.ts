import type { ChangeApplies } from '../../api/network/nics.ts'
import type { Message } from '../../i18n/active-locale.ts'

/** The toast after attaching a network, by when the change applies. */
export const attachAnnouncements = {
  at_once: '{name} gets a NIC in {network} at once.',
  while_running: '{name} gets a NIC in {network} while it runs.',
  next_start: '{name} gets a NIC in {network} with its next start.',
} as const satisfies Record<ChangeApplies, Message>
/** The toast after detaching a network, by when the change applies. */
export const detachAnnouncements = {
  at_once: '{name} loses its NIC in {network} at once.',
  while_running: '{name} loses its NIC in {network} while it runs.',
  next_start: '{name} loses its NIC in {network} with its next start.',
} as const satisfies Record<ChangeApplies, Message>
