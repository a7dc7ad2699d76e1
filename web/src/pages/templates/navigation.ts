import { Disc3 } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Compute', position: 2, icon: Disc3 }

export const commands: readonly PageCommand[] = [
  { label: 'New template', keywords: 'import iso image', permission: 'vms:write' },
]
