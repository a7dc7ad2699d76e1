import type { ChangeApplies } from '../../api/network/nics.ts'
import type { Message } from '../../words/spoken.ts'

/** What is told when a network was attached or detached, by when that holds. */
export const gained = {
  at_once: '{name} gets a NIC in {network} at once.',
  while_running: '{name} gets a NIC in {network} while it runs.',
  next_start: '{name} gets a NIC in {network} with its next start.',
} as const satisfies Record<ChangeApplies, Message>
export const lost = {
  at_once: '{name} loses its NIC in {network} at once.',
  while_running: '{name} loses its NIC in {network} while it runs.',
  next_start: '{name} loses its NIC in {network} with its next start.',
} as const satisfies Record<ChangeApplies, Message>
