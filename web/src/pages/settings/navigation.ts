import { Settings } from '@lucide/vue'
import type { MenuEntry } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Tenant', position: 4, icon: Settings }
