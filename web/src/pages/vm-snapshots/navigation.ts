import { ScanLine } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Storage', position: 3, icon: ScanLine }

export const commands: readonly PageCommand[] = [
  { label: 'New VM snapshot', keywords: 'take machine', permission: 'vms:write' },
  {
    label: 'New VM snapshot schedule',
    keywords: 'backup nightly cron',
    permission: 'vms:write',
    query: { show: 'schedules', new: 'yes' },
  },
]
