import { watchEffect } from 'vue'
import { START_LOCATION, createRouter, createWebHistory } from 'vue-router'
import type { Console } from '../session/console.ts'
import { routes } from './routes.ts'
import { t } from '../words/t.ts'

export function createConsoleRouter(berth: Console) {
  const router = createRouter({
    history: createWebHistory(),
    routes,
    scrollBehavior: (to, from, saved) =>
      saved ?? (to.path === from.path || from === START_LOCATION ? false : { top: 0 }),
  })

  router.beforeEach(async (to) => {
    if (to.meta.open) return true
    const isIn = await berth.session.start().catch(() => null)
    // No answer is not a logout: the page opens and says that Berth cannot be reached.
    if (isIn === false)
      return { path: '/login', query: to.fullPath === '/' ? {} : { returnTo: to.fullPath } }
    if (!berth.viewer.value) await berth.begin()
    if (to.meta.root && berth.viewer.value && !berth.isRoot.value) {
      return { path: '/not-found', query: { from: to.path }, replace: true }
    }
    return true
  })

  // The first page is on its way while it is still asked who wants to see it.
  for (const { components } of router.resolve(location.pathname).matched) {
    const page = components?.['default']
    // What routes.ts holds are functions that fetch the page.
    if (typeof page === 'function') void (page as () => Promise<unknown>)().catch(() => null)
  }

  watchEffect(() => {
    const { title } = router.currentRoute.value.meta
    if (title) document.title = `${t(title)} · Berth`
  })
  return router
}
