import { Boxes } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Network', position: 1, icon: Boxes }

export const commands: readonly PageCommand[] = [
  { label: 'New VPC', keywords: 'create', permission: 'vpcs:write' },
]
