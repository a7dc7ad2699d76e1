import type { VmTemplateRow } from '../../api/vm/vm-templates.ts'
import { t } from '../../i18n/t.ts'

type GuestSystem = VmTemplateRow['osType']

export const guestSystems = ['linux', 'windows', 'other'] as const satisfies GuestSystem[]

/** Returns the name of the guest's operating system. */
export const systemLabel = (system: GuestSystem): string =>
  ({ linux: 'Linux', windows: 'Windows', other: t('Other') })[system]
