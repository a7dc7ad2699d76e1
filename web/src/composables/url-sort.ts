import { type WritableComputedRef, computed } from 'vue'
import type { SortOrder } from '../ui/table/table.ts'
import { useUrlParam } from './url-param.ts'

/** Stores the sort order in the URL: `?sort=-name` means descending by name. */
export function useUrlSort<Sort extends string>(
  allowed: readonly Sort[],
  fallback: SortOrder<Sort>,
): WritableComputedRef<SortOrder<Sort>> {
  const text = ({ by, direction }: SortOrder<Sort>) => (direction === 'desc' ? `-${by}` : by)
  const param = useUrlParam<string>(
    'sort',
    [...allowed, ...allowed.map((by) => `-${by}`)],
    text(fallback),
  )
  return computed({
    get: () => {
      const direction = param.value.startsWith('-') ? ('desc' as const) : ('asc' as const)
      // The cast is safe: useUrlParam returns only allowed fields.
      return { by: param.value.replace(/^-/, '') as Sort, direction }
    },
    set: (order) => (param.value = text(order)),
  })
}
