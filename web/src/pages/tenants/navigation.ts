import { Building2 } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Platform', position: 1, icon: Building2 }

export const commands: readonly PageCommand[] = [
  { label: 'New tenant', keywords: 'create customer' },
]
