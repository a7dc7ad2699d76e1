import { Server } from '@lucide/vue'
import type { MenuEntry } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Compute', position: 1, icon: Server }
