import { type WritableComputedRef, computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * A filter, sort or tab that lives in the address, so that it survives a reload and can be sent to
 * a colleague.
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
      const given = route.query[name]
      if (typeof given !== 'string') return fallback
      const isAllowed = allowed === 'any' || allowed.some((one) => one === given)
      // one of the allowed values, or any string at all
      return isAllowed ? (given as Value) : fallback
    },
    set: (value) =>
      void router.replace({
        query: { ...route.query, [name]: value === fallback ? undefined : value },
      }),
  })
}
