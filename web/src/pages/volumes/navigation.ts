import { HardDrive } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Storage', position: 1, icon: HardDrive }

export const commands: readonly PageCommand[] = [
  { label: 'New volume', keywords: 'create disk', permission: 'volumes:write' },
]
