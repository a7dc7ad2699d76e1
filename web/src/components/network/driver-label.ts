import { type PlainMessage } from '../../i18n/active-locale.ts'
import { t } from '../../i18n/t.ts'

/** A test checks that each driver of the server is here. */
const labels: Readonly<Record<string, PlainMessage>> = {
  'bridge-vlan': 'VLAN on a bridge',
  'ovn-layer2': 'OVN overlay',
  'kube-ovn': 'Kube-OVN subnet',
}

/** Returns the code of a driver that this console does not know yet. */
export function driverLabel(driver: string): string {
  const label = labels[driver]
  return label ? t(label) : driver
}
