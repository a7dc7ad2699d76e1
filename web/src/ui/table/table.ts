export interface Column<Sort extends string = string> {
  id: string
  label: string
  /** Sortable by this field of the server. */
  sort?: Sort
  align?: 'end'
  /** Left out on narrow pages, where the row's first column carries the rest. */
  wide?: 'sm' | 'md' | 'lg'
  /** Read out, not drawn: a column of buttons needs no heading. */
  silent?: boolean
  /** Of a table whose columns do not follow what is in them. */
  width?: string
  /** Drawn after the page's first frame, by a UiLongTable. */
  deferred?: boolean
}

export interface SortOrder<Sort extends string = string> {
  by: Sort
  direction: 'asc' | 'desc'
}

// Of the page, not of the screen: beside the menu a wider screen has less room than a narrower one
// without it.
const wideLooks = {
  sm: 'hidden @xl:table-cell',
  md: 'hidden @2xl:table-cell',
  lg: 'hidden @4xl:table-cell',
}

export const cellLook = ({ wide, align }: Pick<Column, 'wide' | 'align'>) => [
  wide && wideLooks[wide],
  align === 'end' && 'text-right',
]

/**
 * Up and down walk the rows by whatever is first in each, so that a long list needs no tabbing
 * through.
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
