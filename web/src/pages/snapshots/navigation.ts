import { Camera } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Storage', position: 2, icon: Camera }

export const commands: readonly PageCommand[] = [
  {
    label: 'New volume snapshot schedule',
    keywords: 'backup nightly cron',
    permission: 'volumes:write',
    query: { show: 'schedules', new: 'yes' },
  },
]
