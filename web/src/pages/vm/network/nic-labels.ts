import type { VmDetail } from '../../../api/vm/vms.ts'
import type { StateVariant } from '../../../components/state-variants.ts'
import { t } from '../../../i18n/t.ts'

export type NicRow = VmDetail['nics'][number]

export const nicVariants: Record<NicRow['state'], StateVariant> = {
  connected: { label: 'Connected', tone: 'good' },
  arriving: { label: 'Attaching', tone: 'info', inProgress: true },
  departing: { label: 'Detaching', tone: 'warn', inProgress: true },
  waiting: { label: 'With the next start', tone: 'info' },
  leaving: { label: 'Until the next start', tone: 'warn' },
}

/**
 * Returns the command that sets the address in the guest. Null when the guest agent reports an
 * address for this NIC, or does not report at all.
 */
export const addressCommand = (
  { state, address, seenAddress, cidr }: NicRow,
  guestOs: string | null,
): string | null =>
  guestOs !== null && state === 'connected' && address && !seenAddress && cidr
    ? `ip address add ${address}/${cidr.split('/')[1]} dev`
    : null

/** Returns the name of the NIC's network. The cluster network has no name of its own. */
export const networkNameOf = ({ kind, networkName }: NicRow): string =>
  kind === 'public' ? t('Public network') : (networkName ?? t('Platform network'))
