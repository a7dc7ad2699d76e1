import { watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * What a link, or the palette, wants the page to begin: `?new=yes` opens its form. It is taken out
 * of the address at once, so that neither a reload nor going back begins it again.
 */
export function onUrlWish(name: string, begin: () => void) {
  const route = useRoute()
  const router = useRouter()
  watch(
    () => route.query[name],
    (wish) => {
      if (wish === undefined) return
      void router.replace({ query: { ...route.query, [name]: undefined } })
      begin()
    },
    { immediate: true },
  )
}
