import { LayoutGrid } from '@lucide/vue'
import type { Component } from 'vue'
import type { Navigation, PageCommand } from '../composables/navigation.ts'
import { type Page, pages } from './pages.ts'
import type { PlainMessage } from '../i18n/active-locale.ts'

const files = import.meta.glob<Navigation>('../pages/*/navigation.ts', { eager: true })

const pagesWithNavigation: readonly (Page & Navigation)[] = pages.map((page) => ({
  ...page,
  ...files[`../pages/${page.page}/navigation.ts`],
}))

interface NavItem {
  to: string
  label: PlainMessage
  icon: Component
}

const itemsOf = (label: PlainMessage): NavItem[] =>
  pagesWithNavigation
    .flatMap(({ path, title, menu }) =>
      menu?.group === label
        ? [{ position: menu.position, to: path, label: menu.label ?? title, icon: menu.icon }]
        : [],
    )
    .toSorted((a, b) => a.position - b.position)

const groups: readonly { label: PlainMessage; root?: true }[] = [
  { label: 'Compute' },
  { label: 'Network' },
  { label: 'Storage' },
  { label: 'Tenant' },
  { label: 'Platform', root: true },
]

/** The groups of the main menu with their pages, in the order of the menu. */
export const navGroups = groups.map((group) => ({ ...group, items: itemsOf(group.label) }))

export const overviewItem: NavItem = { to: '/', label: 'Overview', icon: LayoutGrid }

/** The commands of the palette for pages. Those for pages of root are hidden from other users. */
export const pageCommands: readonly (PageCommand & Pick<Page, 'path' | 'root'>)[] =
  pagesWithNavigation.flatMap(({ path, root, commands = [] }) =>
    commands.map((command) => ({ ...command, path, ...(root && { root }) })),
  )
