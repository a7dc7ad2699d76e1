import { ServerCog } from '@lucide/vue'
import type { MenuEntry } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Platform', position: 4, icon: ServerCog }
