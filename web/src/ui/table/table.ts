export interface Column<Sort extends string = string> {
  id: string
  label: string
  /** The server's field by which the column sorts. */
  sort?: Sort
  align?: 'end'
  /** Hidden below this width of the page, where the first column shows the essentials. */
  wide?: 'sm' | 'md' | 'lg'
  /** The heading is for screen readers only: a column of buttons needs no visible one. */
  silent?: boolean
  /** The width, for tables with a fixed layout. */
  width?: string
  /** Drawn after the page's first frame, by a UiLongTable. */
  deferred?: boolean
}

export interface SortOrder<Sort extends string = string> {
  by: Sort
  direction: 'asc' | 'desc'
}

// The widths are those of the page's content, not of the screen, because the menu takes up space on
// wide screens only.
const wideClasses = {
  sm: 'hidden @xl:table-cell',
  md: 'hidden @2xl:table-cell',
  lg: 'hidden @4xl:table-cell',
}

export const cellClasses = ({ wide, align }: Pick<Column, 'wide' | 'align'>) => [
  wide && wideClasses[wide],
  align === 'end' && 'text-right',
]

/**
 * Moves the focus between rows with the up and down keys, to the first link or button of each. So a
 * long list needs no tabbing.
 */
export function walkRows(event: KeyboardEvent) {
  if (
    !(event.target instanceof HTMLElement) ||
    event.target.matches('input:not([type=checkbox]), select, textarea')
  )
    return
  const row = event.target.closest('tr')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const target = next?.querySelector<HTMLElement>('a, button')
  if (!target) return
  event.preventDefault()
  target.focus()
}
