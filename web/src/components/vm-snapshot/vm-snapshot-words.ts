import type { VmSnapshotRow } from '../../api/vm/vm-snapshots.ts'
import type { Tone } from '../../ui/UiBadge.vue'
import type { PlainMessage } from '../../words/spoken.ts'
import { t } from '../../words/t.ts'

type Coverage = NonNullable<VmSnapshotRow['coverage']>
type Disk = NonNullable<VmSnapshotRow['disks']>[number]

export const coverageLooks: Record<Coverage, { words: PlainMessage; tone: Tone }> = {
  all_disks: { words: 'All disks', tone: 'good' },
  some_disks: { words: 'Some disks', tone: 'warn' },
  settings_only: { words: 'Settings only', tone: 'warn' },
}

export const consistencyWords: Record<NonNullable<VmSnapshotRow['consistency']>, PlainMessage> = {
  application: 'Programs had written down what they knew',
  crash: 'As after a power cut',
  powered_off: 'The machine was off',
}

export const originWords: Record<Exclude<VmSnapshotRow['origin'], 'asked'>, PlainMessage> = {
  safety: 'Taken before a restore',
  schedule: 'Taken by a schedule',
}

const missing: Record<NonNullable<Disk['reason']>, PlainMessage> = {
  forgets: 'Not in it: it forgets with each stop anyway',
  left_out: 'Not in it: it was left out',
  storage_class: 'Not in it: its storage takes no snapshots',
}

export const diskWords = ({ included, reason }: Disk): string =>
  t(included || !reason ? 'In it' : missing[reason])
