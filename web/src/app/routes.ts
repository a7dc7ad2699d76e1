import type { RouteRecordRaw } from 'vue-router'
import { type Page, pages } from './pages.ts'

const files = import.meta.glob('./*/*Page.vue', { base: '../pages' })

/** Returns the loader of the page in this folder, such as `pages/ssh-keys/SshKeysPage.vue`. */
function componentOf(page: string): () => Promise<unknown> {
  const match = Object.keys(files).find((file) => file.startsWith(`./${page}/`))
  const component = files[match ?? '']
  if (!component) throw new TypeError(`The folder pages/${page} has no file that ends in Page.vue.`)
  return component
}

const routeOf = ({ page, path, ...meta }: Page): RouteRecordRaw => ({
  path,
  component: componentOf(page),
  meta,
})

export const routes = pages.map(routeOf)
