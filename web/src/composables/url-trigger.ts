import { watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * Calls `begin` when the URL has the parameter: `?new=yes` opens a page's form. The parameter is
 * removed at once, so that neither a reload nor going back opens the form again.
 */
export function onUrlTrigger(name: string, begin: () => void) {
  const route = useRoute()
  const router = useRouter()
  watch(
    () => route.query[name],
    (value) => {
      if (value === undefined) return
      void router.replace({ query: { ...route.query, [name]: undefined } })
      begin()
    },
    { immediate: true },
  )
}
