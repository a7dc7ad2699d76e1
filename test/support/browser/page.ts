import type { Locator, Page } from 'playwright-core'

/** The option to wait until an element is removed from the page. */
export const gone = { state: 'detached' } as const

/** Waits until the page's live subscription is connected. */
export const live = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor()

/** Returns the row of a table that contains the text. */
export const row = (page: Page, text: string): Locator =>
  page.locator('tbody').getByRole('row').filter({ hasText: text })

/** Chooses an item from the actions menu of a row. */
export async function choose(
  page: Page,
  { row: name, item }: { row: string; item: string },
): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  // The label begins with the action. A reason why it is disabled may follow and name other ones.
  await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click()
}
