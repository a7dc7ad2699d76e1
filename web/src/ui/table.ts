export interface Column<Sort extends string = string> {
  id: string
  label: string
  /** Sortable by this field of the server. */
  sort?: Sort
  align?: 'end'
  /** Left out on narrow screens, where the row's first column carries the rest. */
  wide?: 'sm' | 'md' | 'lg'
  /** Read out, not drawn: a column of buttons needs no heading. */
  silent?: boolean
}

export interface SortOrder<Sort extends string = string> {
  by: Sort
  direction: 'asc' | 'desc'
}
