import type { Component } from 'vue'
import type { PlainMessage } from '../i18n/active-locale.ts'

/** The entry of a page in the menu. */
export interface MenuEntry {
  group: 'Compute' | 'Network' | 'Storage' | 'Tenant' | 'Platform'
  /** The position in the group, from 1. */
  position: number
  icon: Component
  /** The title of the page, unless the menu has another label. */
  label?: PlainMessage
}

/** A command of the palette that opens a page, usually with a dialog. */
export interface PageCommand {
  label: PlainMessage
  /** Further words that find the entry. */
  keywords: PlainMessage
  permission?: string
  /** The query of the URL. The default `{ new: 'yes' }` opens the dialog that creates a row. */
  query?: Readonly<Record<string, string>>
}

/**
 * The declarations in the `navigation.ts` of a page. The console loads them after its first frame,
 * with the menu.
 */
export interface Navigation {
  menu?: MenuEntry
  /** The palette lists them in the order of the pages. */
  commands?: readonly PageCommand[]
}
