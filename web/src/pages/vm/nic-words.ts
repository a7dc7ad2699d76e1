import type { ChangeApplies } from '../../api/nics.ts'
import type { VmDetail } from '../../api/vms.ts'
import type { Look } from '../../components/state-words.ts'
import type { Message } from '../../words/spoken.ts'
import { t } from '../../words/t.ts'

export type NicRow = VmDetail['nics'][number]

export const nicLooks: Record<NicRow['state'], Look> = {
  connected: { words: 'Connected', tone: 'good' },
  waiting: { words: 'With the next start', tone: 'info' },
  leaving: { words: 'Until the next start', tone: 'warn' },
}

/** What its network is called; the one of the platform has no name. */
export const networkOf = ({ kind, networkName }: NicRow): string =>
  kind === 'public' ? t('Public network') : (networkName ?? t('Platform network'))

/** What is told when a network was attached or detached, by when that holds. */
export const gained = {
  at_once: '{name} gets a NIC in {network} at once.',
  next_start: '{name} gets a NIC in {network} with its next start.',
} as const satisfies Record<ChangeApplies, Message>
export const lost = {
  at_once: '{name} loses its NIC in {network} at once.',
  next_start: '{name} loses its NIC in {network} with its next start.',
} as const satisfies Record<ChangeApplies, Message>
