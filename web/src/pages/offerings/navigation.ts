import { Cpu } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Platform', position: 2, icon: Cpu, label: 'Offerings' }

export const commands: readonly PageCommand[] = [
  { label: 'New offering', keywords: 'create size flavour' },
]
