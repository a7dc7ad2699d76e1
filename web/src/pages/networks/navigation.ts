import { Network } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Network', position: 2, icon: Network }

export const commands: readonly PageCommand[] = [
  { label: 'New network', keywords: 'create subnet', permission: 'networks:write' },
]
