import { Globe } from '@lucide/vue'
import type { MenuEntry } from '../../composables/navigation.ts'

export const menu: MenuEntry = { group: 'Network', position: 3, icon: Globe }
