import { Activity } from '@lucide/vue'
import type { MenuEntry } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Tenant', position: 1, icon: Activity }
