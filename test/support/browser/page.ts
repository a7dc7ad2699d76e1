import type { Locator, Page } from 'playwright-core'

export const gone = { state: 'detached' } as const

/** Waits until the page hears changes by itself. */
export const live = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor()

export const row = (page: Page, text: string): Locator =>
  page.locator('tbody').getByRole('row').filter({ hasText: text })

/** From the menu at the end of a row. */
export async function choose(
  page: Page,
  { row: name, item }: { row: string; item: string },
): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  // Its words begin with what it does; why it cannot be done may follow, and name other deeds.
  await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click()
}
