import { type WritableComputedRef, computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * Stores a filter, sort order or tab in the URL, so that it survives a reload and can be sent to a
 * colleague.
 */
export function useUrlParam<Value extends string>(
  name: string,
  allowed: readonly Value[] | 'any',
  fallback: Value,
): WritableComputedRef<Value> {
  const route = useRoute()
  const router = useRouter()
  return computed({
    get() {
      const text = route.query[name]
      if (typeof text !== 'string') return fallback
      const isAllowed = allowed === 'any' || allowed.some((one) => one === text)
      // The check above makes the cast safe: `any` allows every string.
      return isAllowed ? (text as Value) : fallback
    },
    set: (value) =>
      void router.replace({
        query: { ...route.query, [name]: value === fallback ? undefined : value },
      }),
  })
}
