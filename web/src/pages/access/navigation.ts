import { UserRoundCog } from '@lucide/vue'
import type { MenuEntry, PageCommand } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Tenant', position: 2, icon: UserRoundCog }

export const commands: readonly PageCommand[] = [
  {
    label: 'New user',
    keywords: 'create invite',
    permission: 'users:write',
    query: { tab: 'users', new: 'yes' },
  },
  {
    label: 'New role',
    keywords: 'create',
    permission: 'users:write',
    query: { tab: 'roles', new: 'yes' },
  },
  { label: 'New API key', keywords: 'create token', query: { tab: 'keys', new: 'yes' } },
]
