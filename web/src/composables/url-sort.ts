import { type WritableComputedRef, computed } from 'vue'
import type { SortOrder } from '../ui/table/table.ts'
import { useUrlParam } from './url-param.ts'

/** `?sort=-name` is descending by name. */
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
      // useUrlParam lets only allowed fields through
      return { by: param.value.replace(/^-/, '') as Sort, direction }
    },
    set: (order) => (param.value = text(order)),
  })
}
