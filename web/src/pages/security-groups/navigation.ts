import { ShieldCheck } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Network', position: 4, icon: ShieldCheck }

export const commands: readonly PageCommand[] = [
  {
    label: 'New security group',
    keywords: 'create firewall',
    permission: 'security_groups:write',
  },
]
