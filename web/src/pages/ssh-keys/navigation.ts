import { KeyRound } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Compute', position: 3, icon: KeyRound }

export const commands: readonly PageCommand[] = [
  { label: 'New SSH key', keywords: 'create register', permission: 'ssh_keys:write' },
]
