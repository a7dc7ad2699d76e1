import { watchEffect } from 'vue'
import {
  type RouteLocationNormalized,
  START_LOCATION,
  createRouter,
  createWebHistory,
} from 'vue-router'
import type { Console } from '../session/console.ts'
import { routes } from './routes.ts'
import { t } from '../i18n/t.ts'

/** Creates the router of the console, which opens pages only for users who may see them. */
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
    // A missing answer is not a logout: the page opens and reports that Berth does not answer.
    if (isIn === false) return firstTo('/login', to)
    if (!berth.viewer.value) await berth.begin()
    const viewer = berth.viewer.value
    if (viewer?.lacksSecondFactor) return firstTo('/second-factor', to)
    if (to.meta.root && viewer && !berth.isRoot.value) {
      return { path: '/not-found', query: { from: to.path }, replace: true }
    }
    return true
  })

  // Loads the code of the first page while the session is still being checked.
  for (const { components } of router.resolve(location.pathname).matched) {
    const page = components?.['default']
    // A component in routes.ts is a function that loads the page.
    if (typeof page === 'function') void (page as () => Promise<unknown>)().catch(() => null)
  }

  watchEffect(() => {
    const { title } = router.currentRoute.value.meta
    if (title) document.title = `${t(title)} · Berth`
  })
  return router
}

/** Returns a page that must come first, which leads to the requested page afterwards. */
const firstTo = (path: string, to: RouteLocationNormalized) => ({
  path,
  query: to.fullPath === '/' ? {} : { returnTo: to.fullPath },
})
