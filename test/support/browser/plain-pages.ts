import { type Page, pages } from '../../../web/src/app/pages.ts'

/** The pages of a session that need no name of a row in their path. */
export const plainPages: readonly Page[] = pages.filter(
  (page: Page) => !page.open && !page.path.includes(':'),
)
