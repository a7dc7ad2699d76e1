import type { VmDetail } from '../../../api/vm/vms.ts'
import type { Look } from '../../../components/state-words.ts'
import { t } from '../../../words/t.ts'

export type NicRow = VmDetail['nics'][number]

export const nicLooks: Record<NicRow['state'], Look> = {
  connected: { words: 'Connected', tone: 'good' },
  arriving: { words: 'Attaching', tone: 'info', active: true },
  departing: { words: 'Detaching', tone: 'warn', active: true },
  waiting: { words: 'With the next start', tone: 'info' },
  leaving: { words: 'Until the next start', tone: 'warn' },
}

/**
 * What to type in a guest that has told of itself, and of this NIC no address: null where it is set
 * up, or nobody knows.
 */
export const commandFor = (
  { state, address, seenAddress, cidr }: NicRow,
  guestOs: string | null,
): string | null =>
  guestOs !== null && state === 'connected' && address && !seenAddress && cidr
    ? `ip address add ${address}/${cidr.split('/')[1]} dev`
    : null

/** What its network is called; the one of the platform has no name. */
export const networkOf = ({ kind, networkName }: NicRow): string =>
  kind === 'public' ? t('Public network') : (networkName ?? t('Platform network'))
