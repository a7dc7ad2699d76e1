import type { VmSnapshotRow } from '../../api/vm/vm-snapshots.ts'
import type { Tone } from '../../ui/UiBadge.vue'
import type { PlainMessage } from '../../i18n/active-locale.ts'
import { t } from '../../i18n/t.ts'

type Coverage = NonNullable<VmSnapshotRow['coverage']>
type Disk = NonNullable<VmSnapshotRow['disks']>[number]

/** How the console shows which disks a VM snapshot covers. */
export const coverageVariants: Record<Coverage, { label: PlainMessage; tone: Tone }> = {
  all_disks: { label: 'All disks', tone: 'good' },
  some_disks: { label: 'Some disks', tone: 'warn' },
  settings_only: { label: 'Settings only', tone: 'warn' },
}

export const consistencyLabels: Record<NonNullable<VmSnapshotRow['consistency']>, PlainMessage> = {
  application: 'Programs had written down what they knew',
  crash: 'As after a power cut',
  powered_off: 'The machine was off',
}

export const originLabels: Record<Exclude<VmSnapshotRow['origin'], 'asked'>, PlainMessage> = {
  safety: 'Taken before a restore',
  schedule: 'Taken by a schedule',
}

const missing: Record<NonNullable<Disk['reason']>, PlainMessage> = {
  forgets: 'Not in it: it forgets with each stop anyway',
  left_out: 'Not in it: it was left out',
  storage_class: 'Not in it: its storage takes no snapshots',
}

/** Returns whether the snapshot has the disk, or why not. */
export const diskLabel = ({ included, reason }: Disk): string =>
  t(included || !reason ? 'In it' : missing[reason])
