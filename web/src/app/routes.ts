import type { RouteRecordRaw } from 'vue-router'
import { type Page, pages } from './pages.ts'

const files = import.meta.glob('../pages/*/*Page.vue')

/** The one file of a page's folder that is named after it: `pages/ssh-keys/SshKeysPage.vue`. */
function componentOf(page: string): () => Promise<unknown> {
  const found = Object.keys(files).find((file) => file.startsWith(`../pages/${page}/`))
  const component = files[found ?? '']
  if (!component) throw new TypeError(`pages/${page} has no page`)
  return component
}

const routeOf = ({ page, path, menu: _menu, begins: _begins, ...meta }: Page): RouteRecordRaw => ({
  path,
  component: componentOf(page),
  meta,
})

export const routes = pages.map(routeOf)
