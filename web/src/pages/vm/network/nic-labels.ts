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
 * Returns the command that sets the address in the guest. Null when the guest has the address, and
 * while no guest agent tells.
 */
export const addressCommand = ({ configuredInGuest, address, cidr }: NicRow): string | null =>
  configuredInGuest === 'no' && address && cidr
    ? `ip address add ${address}/${cidr.split('/')[1]} dev`
    : null

/** Returns the name of the NIC's network. The cluster network has no name of its own. */
export const networkNameOf = ({ kind, networkName }: NicRow): string =>
  kind === 'public' ? t('Public network') : (networkName ?? t('Platform network'))
